import { visible } from '#shared/text/visible.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { asBuffer, exactText } from './text.ts'
import { prettyJson } from '#shared/json/format.ts'
import type { Attempt } from '#contract/sending.ts'
import { isoTime } from './iso-time.ts'

/** Longer values are cut, in characters. */
const longestValue = 400

/**
 * Text of others within a line, as a code span: in it nothing is a link, a mention, markup or HTML, wherever it is pasted. The marks around
 * it are longer than any in it (CommonMark, 6.1).
 */
export function code(text: string): string {
  const long = text.length > longestValue
  const shown = visible(long ? text.slice(0, longestValue) : text) + (long ? '…' : '')
  if (shown === '') return ''
  const marks = '`'.repeat(longestRun(shown) + 1)
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : ''
  return `${marks}${space}${shown}${space}${marks}`
}

/** A sentence, as it is while it is nothing but words; else as code. A dot or a colon within a word would make a link or a picture of it. */
export function sentence(text: string): string {
  const words =
    text.length <= longestValue &&
    /^[\p{L}\p{N}][\p{L}\p{N} ,.;:'"()-]*$/u.test(text) &&
    !/[.:]\S/.test(text)
  return words ? text : code(text)
}

/** How many backticks follow each other, at most. */
export function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** So much of a text is shown, in bytes. */
const shownBytes = 4096

/** Text in lines, cut, between marks that are longer than any in it (CommonMark, 4.5), and how much more there is. */
function fence(text: string, language: string): string {
  const bytes = Buffer.from(text)
  const kept = wholeCharacters(bytes, shownBytes)
  return fenceOf(bytes.toString('utf8', 0, kept), language, bytes.byteLength - kept)
}

/** As `fence`, of bytes that are UTF-8 and too many to be made text of. */
function fenceOfBytes(body: Uint8Array, language: string): string {
  const bytes = asBuffer(body)
  const kept = wholeCharacters(bytes, shownBytes)
  return fenceOf(bytes.toString('utf8', 0, kept), language, bytes.byteLength - kept)
}

function fenceOf(text: string, language: string, more: number): string {
  const lines = text.split(/\r?\n/).map(visible)
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const fenced = `${marks}${language}\n${lines.join('\n')}\n${marks}\n`
  return more === 0 ? fenced : `${fenced}… ${more} more ${more === 1 ? 'byte' : 'bytes'}\n`
}

/** At most so many bytes, with no character cut in two: in UTF-8 those that go on begin with the bits 10. */
function wholeCharacters(bytes: Buffer, limit: number): number {
  if (bytes.byteLength <= limit) return bytes.byteLength
  let end = limit
  while (end > limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

/** The last ones are told. */
const shown = 10

const done: Readonly<Record<Attempt['kind'], string>> = {
  resend: 'sent again',
  compose: 'composed and sent',
  forward: 'forwarded',
  pass_through: 'passed through',
}

/** A line for each attempt, oldest first. */
function attemptLines(attempts: readonly ExportedAttempt[]): string[] {
  const earlier = attempts.length - shown
  return [
    ...(earlier > 0 ? [`- … and ${earlier} earlier`] : []),
    ...attempts.slice(-shown).map(({ fields }) => `- ${attemptLine(fields)}`),
  ]
}

function attemptLine({ at, kind, method, url, status, error, took, edited }: Attempt): string {
  const what = `${code(isoTime(at))} ${done[kind]}${edited ? ', edited' : ''}: ${code(`${method} ${url}`)}`
  const came =
    status === null
      ? `no answer. ${error ? sentence(error.message) : ''}`.trim()
      : `${status} in ${milliseconds(took)}`
  return `${what}, ${came}`
}

/** Larger ones are not laid out: only their beginning is shown. In bytes. */
const largestPretty = 256 * 1024

/** The body for people: JSON laid out, with every value as it came. */
function bodyText({ body, omitted }: ExportedDelivery): string {
  if (omitted !== null) return `Body: not here. ${sentence(omitted)}\n`
  if (body.byteLength === 0) return 'Body: empty\n'
  if (body.byteLength > largestPretty) {
    // Where the beginning is no text, nothing else is looked at.
    return exactText(body) === null ? binary(body) : `Body:\n\n${fenceOfBytes(body, '')}`
  }
  const text = exactText(body)
  if (text === null) return binary(body)
  const pretty = prettyJson(text)
  return `Body:\n\n${pretty === null ? fence(text, '') : fence(pretty, 'json')}`
}

function binary(body: Uint8Array): string {
  return `Body: ${body.byteLength} bytes that are no text\n`
}

/** One delivery, to be read in a chat or in an issue. */
export function deliverySection(delivery: ExportedDelivery): string {
  const { fields, attempts } = delivery
  const headers = fields.headers.map(([name, value]) => visible(`${name}: ${readable(value)}`))
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

/** A header is kept one character a byte; most that is beyond ASCII was meant as UTF-8. */
function readable(value: string): string {
  return exactText(Buffer.from(value, 'latin1')) ?? value
}

/**
 * What is known of a delivery, a line each. As a list and not as a table: most chats draw no tables, and in a table a bar would end its cell
 * even within code.
 */
function factLines({ fields }: ExportedDelivery): string[] {
  const facts: [name: string, text: string][] = [
    ['Received', code(isoTime(fields.receivedAt))],
    ['Request', code(`${fields.method} ${fields.path}`.trim())],
    ['Type', code(fields.type ?? '')],
    ['Verdict', fields.verdict],
    ['Verdict at arrival', fields.recheck?.verdictAtArrival ?? ''],
    ['Answer', answerWords(fields)],
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
    ({ severity, code: name, place, message }) =>
      `  - ${severity}, ${code(name)} in ${code(place)}: ${sentence(message)}`,
  )
  return [...lines, '- Findings:', ...findings]
}

function answerWords({ status, answeredIn, answeredBy }: ExportedDelivery['fields']): string {
  if (status === null) return answeredBy === 'rule' ? 'none, by a response rule' : 'none'
  const by =
    answeredBy === null ? '' : `, by a ${answeredBy === 'rule' ? 'response rule' : 'target'}`
  return `${status}${answeredIn === null ? '' : ` in ${milliseconds(answeredIn)}`}${by}`
}

function milliseconds(time: number): string {
  return `${Math.round(time * 10) / 10} ms`
}
