import type { LogHead } from '#contract/event-log.ts'
import type { Cause } from '#contract/models.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import {
  redactionSentences,
  asBuffer,
  attemptVerbs,
  decodeHeader,
  describeResponse,
  formatMilliseconds,
  exactText,
  isoTime,
  knownTime,
} from '../format-parts/text.ts'
import type { LogItem, ExportedAttempt, ExportedDelivery } from '../items.ts'
import { describeCause } from '#catalogue/signature-causes.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { prettyJson } from '#shared/json/format.ts'
import type { Attempt } from '#contract/sending.ts'

const maxValueLength = 400

/** Untrusted text must not become a link, mention, markup or HTML wherever it is pasted. More backticks enclose it than it contains (CommonMark, 6.1). */
export function code(text: string): string {
  const isCut = text.length > maxValueLength
  const visibleText =
    escapeControls(isCut ? text.slice(0, maxValueLength) : text) + (isCut ? '…' : '')
  if (visibleText === '') return ''
  const backticks = '`'.repeat(longestRun(visibleText) + 1)
  const padding = /^[` ]|[` ]$/.test(visibleText) ? ' ' : ''
  return `${backticks}${padding}${visibleText}${padding}${backticks}`
}

/** Plain words stay; anything else becomes code. A dot or colon within a word could make it a link or an emoji. */
function sentence(text: string): string {
  const isPlainText =
    text.length <= maxValueLength &&
    /^[\p{L}\p{N}][\p{L}\p{N} ,.;:'"()-]*$/u.test(text) &&
    !/[.:]\S/.test(text)
  return isPlainText ? text : code(text)
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

const maxShownBytes = 4096

/** The fence is longer than any in the text (CommonMark, 4.5). States how much of a long text is missing. */
function fence(text: string | Uint8Array, language: string): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : asBuffer(text)
  const keptBytes = wholeCharacters(bytes, maxShownBytes)
  return fenceOf(bytes.toString('utf8', 0, keptBytes), language, bytes.byteLength - keptBytes)
}

function fenceOf(text: string, language: string, cutBytes: number): string {
  const lines = text.split(/\r?\n/).map(escapeControls)
  const fenceMarks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const fenced = `${fenceMarks}${language}\n${lines.join('\n')}\n${fenceMarks}\n`
  return cutBytes === 0
    ? fenced
    : `${fenced}… ${cutBytes} more ${cutBytes === 1 ? 'byte' : 'bytes'}\n`
}

/** The largest length that does not split a character: continuation bytes in UTF-8 start with the bits 10. */
function wholeCharacters(bytes: Buffer, limit: number): number {
  if (bytes.byteLength <= limit) return bytes.byteLength
  let end = limit
  while (end > limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

const maxAttempts = 10

function attemptLines(attempts: readonly ExportedAttempt[]): string[] {
  const earlier = attempts.length - maxAttempts
  return [
    ...(earlier > 0 ? [`- … and ${earlier} earlier`] : []),
    ...attempts.slice(-maxAttempts).map(({ fields }) => `- ${attemptLine(fields)}`),
  ]
}

function attemptLine({
  sentAt,
  kind,
  method,
  url,
  status,
  error,
  durationMs,
  edited,
}: Attempt): string {
  const request = `${code(isoTime(sentAt))} ${attemptVerbs[kind]}${edited ? ', edited' : ''}: ${code(`${method} ${url}`)}`
  const result =
    status === null
      ? `no response. ${error ? sentence(error.message) : ''}`.trim()
      : `${status} in ${formatMilliseconds(durationMs)}`
  return `${request}, ${result}`
}

const maxPrettyBytes = 256 * 1024

/** JSON is formatted, with every value unchanged. */
function bodyText({ body, omitted }: ExportedDelivery): string {
  if (omitted !== null) return `Body: not included. ${sentence(omitted)}\n`
  if (body.byteLength === 0) return 'Body: empty\n'
  const text = exactText(body)
  if (text === null) return `Body: ${body.byteLength} bytes of binary data\n`
  const pretty = body.byteLength > maxPrettyBytes ? null : prettyJson(text)
  return `Body:\n\n${pretty === null ? fence(body, '') : fence(pretty, 'json')}`
}

function deliverySection(delivery: ExportedDelivery): string {
  const { fields, attempts } = delivery
  const headers = fields.headers.map(([name, value]) =>
    escapeControls(`${name}: ${decodeHeader(value)}`),
  )
  const sent = [
    ...attemptLines(attempts),
    ...fields.notForwarded.map((text) => `- Not forwarded: ${sentence(text)}`),
  ]
  return [
    `### Delivery ${fields.id}${fields.title === '' ? '' : `: ${code(fields.title)}`}\n`,
    `${factLines(delivery).join('\n')}\n`,
    headers.length === 0 ? 'Headers: none\n' : `Headers:\n\n${fence(headers.join('\n'), '')}`,
    ...(fields.bodyRedacted
      ? ['The body was redacted, so its signature cannot be verified again.\n']
      : []),
    bodyText(delivery),
    ...(sent.length === 0 ? [] : [`Attempts: ${attempts.length}\n\n${sent.join('\n')}\n`]),
  ].join('\n')
}

/** A list, because most chats do not render tables, and a vertical bar in a table ends the cell even within code. */
function factLines({ fields }: ExportedDelivery): string[] {
  const facts: [name: string, text: string][] = [
    ['Received', code(knownTime(fields.receivedAt) ?? 'unknown')],
    ['Request', code(`${fields.method} ${fields.path}`.trim())],
    ['Type', code(fields.type ?? '')],
    ['Verdict', fields.verdict],
    ['Verdict at arrival', fields.recheck?.verdictAtArrival ?? ''],
    ...(fields.causes ?? []).map((cause): [string, string] => ['Cause', causeText(cause)]),
    ['Answer', describeResponse(fields)],
    ['Arrival', fields.arrival === 'complete' ? '' : fields.arrival.replaceAll('_', ' ')],
    ['Reason', sentence(fields.reason ?? '')],
    ['Target', code(fields.target ?? '')],
    ['Location', code(fields.locationName ?? '')],
    ['Endpoint', code(fields.endpointName ?? '')],
    fields.bodyRedacted
      ? ['Body as redacted', `${fields.bytes} bytes`]
      : ['Body as captured', `${fields.bytes} bytes, SHA-256 ${code(fields.sha256)}`],
    ['Tags', fields.tags.map(code).join(' ')],
    ['Note', code(fields.note)],
  ]
  const lines = facts.filter(([, text]) => text !== '').map(([name, text]) => `- ${name}: ${text}`)
  if (fields.findings.length === 0) return [...lines, '- Findings: none']
  const findings = fields.findings.map(
    ({ severity, code: name, location, message }) =>
      `  - ${severity}, ${code(name)} in ${code(location)}: ${sentence(message)}`,
  )
  return [...lines, '- Findings:', ...findings]
}

function causeText(cause: Cause): string {
  const { title, fix } = describeCause(cause)
  return `${sentence(title)}. ${sentence(fix)}`
}

/** GitHub Flavored Markdown, limited to what chats also support: headings, lists, code. */
const markdown: LogFormat = {
  id: 'markdown',
  label: 'Markdown',
  description: 'For a chat or an issue: facts, headers, the start of the body, a line per attempt.',
  extension: 'md',
  mediaType: 'text/markdown; charset=utf-8',
  imports: 'none',
  gzip: false,
  comfortable: 20,
  single: true,
  write: writeMarkdown,
}

function* writeMarkdown(
  head: LogHead,
  items: Iterable<LogItem>,
  { removed }: FormatEnv,
): Generator<string, void, undefined> {
  let deliveries = 0
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    if (deliveries > 0) yield '\n---\n\n'
    yield deliverySection(item.delivery)
    deliveries += 1
  }
  if (deliveries === 0) yield 'No deliveries.\n'
  const sentences = redactionSentences(head, removed()).map(sentence)
  if (sentences.length > 0) yield `\n${sentences.join(' ')}\n`
}

export default markdown
