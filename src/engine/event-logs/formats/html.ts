import { hash } from 'node:crypto'
import { describeCause } from '#catalogue/signature-causes.ts'
import type { Run, RunStep } from '#contract/authorization.ts'
import type { LogHead, LogScope } from '#contract/event-log.ts'
import type { Delivery, Finding, Verdict } from '#contract/models.ts'
import type { Rehearsal, RehearsalRequest, RehearsalResult } from '#contract/rehearsal.ts'
import { plural } from '#shared/text/format.ts'
import { decodeSmall, encodingsOf } from '../../payload/decode-body.ts'
import { bodyBlock, details, type Fact, factList, headerBlock, text } from '../format-parts/page.ts'
import {
  attemptVerbs,
  describeResponse,
  formatMilliseconds,
  isoTime,
  knownTime,
  redactionSentences,
} from '../format-parts/text.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import type { ExportedAttempt, ExportedDelivery, LogItem, RehearsalCaseItem } from '../items.ts'

/** A document without scripts, which can be opened without trusting it, also in the preview of a mail. */
const html: LogFormat = {
  id: 'html',
  label: 'HTML page',
  description: 'One file to read in any browser, without Tabscope and offline.',
  extension: 'html',
  mediaType: 'text/html',
  imports: 'none',
  gzip: false,
  rehearsals: true,
  comfortable: 2000,
  single: false,
  write: writePage,
}

const styles = Object.values(
  import.meta.glob<string>('../../../../resources/pages/event-log.css', {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
).join('')

/** Nothing else can run or be loaded, even if text became markup. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', styles, 'base64')}'; base-uri 'none'; form-action 'none'`

function* writePage(
  head: LogHead,
  items: Iterable<LogItem>,
  { removed }: FormatEnv,
): Generator<string, void, undefined> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Event log of ${text(head.exportedAt)}</title>
<style>${styles}</style>
</head>
<body>
<main>
${heading(head)}`
  let open: Group | null = null
  for (const item of items) {
    const group = groupOf(item)
    if (group !== open) {
      if (open !== null) yield '</details>\n'
      yield `<details class="group"${group === 'Deliveries' ? ' open' : ''}><summary><h2>${group}</h2></summary>\n`
      open = group
    }
    yield itemBlock(item, head.counts.deliveries === 1)
  }
  yield open === null ? '<p>This log is empty.</p>\n' : '</details>\n'
  const sentences = redactionSentences(head, removed())
  if (sentences.length > 0) yield `<p class="note">${text(sentences.join(' '))}</p>\n`
  yield '</main>\n</body>\n</html>\n'
}

function heading({ app, exportedAt, scope, redaction, counts }: LogHead): string {
  const facts: readonly Fact[] = [
    ['Exported', `${exportedAt} by Tabscope ${app}`],
    ['Selection', describeScope(scope)],
    ['Deliveries', String(counts.deliveries)],
    ['Redacted', redaction.on ? 'yes, see the end of this page' : 'no'],
    ['Fields kept', redaction.kept.join(', ')],
    ['Fields masked', redaction.masked.join(', ')],
    ['Times', 'UTC'],
  ]
  return `<h1>Event log</h1>\n${factList(facts)}`
}

function describeScope({ filter, from, to, selected, traceOf }: LogScope): string {
  const parts = [
    ...(selected === null ? [] : [plural(selected, 'selected delivery', 'selected deliveries')]),
    ...(traceOf === null ? [] : [`the trace of #${traceOf}`]),
    ...(filter === '' ? [] : [`the filter ${filter}`]),
    ...(from === null ? [] : [`from ${isoTime(from)}`]),
    ...(to === null ? [] : [`before ${isoTime(to)}`]),
  ]
  return parts.length === 0 ? 'all deliveries' : parts.join(', ')
}

type Group = 'Authorization' | 'Rehearsals' | 'Deliveries'

function groupOf({ kind }: LogItem): Group {
  switch (kind) {
    case 'delivery':
      return 'Deliveries'
    case 'rehearsal':
    case 'rehearsal_case':
      return 'Rehearsals'
    case 'integration':
    case 'endpoint':
    case 'token':
    case 'run':
      return 'Authorization'
  }
}

/** `only`: there is no other delivery, so that it is open. */
function itemBlock(item: LogItem, only: boolean): string {
  switch (item.kind) {
    case 'delivery':
      return deliveryBlock(item.delivery, only)
    case 'rehearsal':
      return rehearsalBlock(item.rehearsal)
    case 'rehearsal_case':
      return caseBlock(item)
    case 'run':
      return runBlock(item.run)
    case 'integration':
      return itemDetails(
        row({ name: `Integration ${item.name}` }),
        factList([
          ['Brand', item.brand],
          ['Base URL', item.baseUrl],
          ['Sandbox', item.sandbox ? 'yes' : ''],
        ]),
      )
    case 'endpoint':
      return itemDetails(
        row({ name: `Endpoint ${item.name}` }),
        factList([
          ['Path', `/hooks/${item.slug}`],
          ['Application ID', item.applicationId],
          ...item.customHeaders.map(([name, value]): Fact => ['Header', `${name}: ${value}`]),
        ]),
      )
    case 'token':
      return itemDetails(
        row({ name: `Token ${item.label}`, when: isoTime(item.obtainedAt) }),
        factList([
          ['Status', item.status],
          ['Expires', item.expires === null ? '' : isoTime(item.expires * 1000)],
          ...item.events.map(({ kind, at, detail }): Fact => [
            isoTime(at),
            withDetail(words(kind), detail),
          ]),
        ]) + findingList(item.findings),
      )
  }
}

function itemDetails(summary: string, content: string, open = false): string {
  return details(summary, content, ` class="item"${open ? ' open' : ''}`)
}

type Tone = 'good' | 'bad' | 'warn' | ''

interface Row {
  readonly tone?: Tone
  readonly badge?: string
  readonly id?: number
  readonly name: string
  readonly when?: string
  readonly why?: string
}

function row({ tone = '', badge = '', id, name, when = '', why = '' }: Row): string {
  return [
    '<span class="row">',
    badge === '' ? '<span></span>' : `<span class="tone ${tone}">${text(badge)}</span>`,
    id === undefined ? '<span></span>' : `<span>#${id}</span>`,
    `<span class="name">${text(name)}</span><span class="when">${text(when)}</span>`,
    why === '' ? '' : `<span class="why">${text(why)}</span>`,
    '</span>',
  ].join('')
}

const verdictTexts: Readonly<Record<Verdict, readonly [tone: Tone, title: string]>> = {
  valid: ['good', 'Signature valid'],
  invalid: ['bad', 'Signature invalid'],
  missing: ['bad', 'Signature missing'],
  unsigned: ['', 'Not signed'],
  unchecked: ['', 'Signature not checked'],
}

function deliveryBlock(delivery: ExportedDelivery, open: boolean): string {
  const { fields, body, omitted, attempts } = delivery
  const { id, verdict, findings, headers, trailers } = fields
  const [tone] = verdictTexts[verdict]
  const marked = new Set(findings.map(({ location }) => location))
  const why = [
    ...(fields.causes ?? []).slice(0, 1).map((cause) => describeCause(cause).title),
    ...(findings.length === 0 ? [] : [plural(findings.length, 'finding', 'findings')]),
  ]
  const summary = row({
    tone,
    badge: verdict,
    id,
    name: fields.title || `${fields.method} ${fields.path}`.trim(),
    when: knownTime(fields.receivedAt) ?? '',
    why: why.join(' · '),
  })
  const content = [
    // Browsers open the details around the target of a link.
    `<div id="delivery-${id}">\n`,
    verdictNote(fields),
    findingList(findings),
    factList(factsOf(fields)),
    headerBlock(
      'Headers',
      `${fields.method} ${fields.path} HTTP/${fields.httpVersion}`,
      headers,
      marked,
    ),
    trailers.length === 0 ? '' : headerBlock('Trailers', '', trailers),
    omitted === null
      ? bodyBlock('Body', decoded(body, headers), marked)
      : `<h3>Body</h3>\n<p>Not included. ${text(omitted)}</p>\n`,
    attempts.length + fields.notForwarded.length === 0 ? '' : '<h3>Attempts</h3>\n',
    ...attempts.map(attemptBlock),
    ...fields.notForwarded.map((reason) => `<p>Not forwarded: ${text(reason)}</p>\n`),
    '</div>\n',
  ]
  return itemDetails(summary, content.join(''), open)
}

function verdictNote({ id, verdict, causes, recheck }: ExportedDelivery['fields']): string {
  const [tone, title] = verdictTexts[verdict]
  const before = recheck === undefined ? '' : ` It was ${recheck.verdictAtArrival} at arrival.`
  const lines = (causes ?? []).map((cause) => {
    const { title: name, sentence, fix } = describeCause(cause)
    return `<p><b>${text(name)}.</b> ${text(sentence)} ${text(fix)}</p>\n`
  })
  return `<div class="note ${tone}"><p><b>${title}.</b>${before} <a href="#delivery-${id}">Link to this delivery</a></p>\n${lines.join('')}</div>\n`
}

function findingList(findings: readonly Finding[]): string {
  if (findings.length === 0) return ''
  const lines = findings.map(({ severity, location, message, expected, actual }) => {
    const values = [
      ...(expected === undefined ? [] : [`Expected: ${expected}.`]),
      ...(actual === undefined ? [] : [`Actual: ${actual}.`]),
    ]
    return `<li>${severity} in <mark>${text(location)}</mark>: ${text([message, ...values].join(' '))}</li>\n`
  })
  return `<h3>Findings</h3>\n<ul>\n${lines.join('')}</ul>\n`
}

function factsOf(fields: ExportedDelivery['fields']): readonly Fact[] {
  const { duplicateOf, bodyRedacted } = fields
  return [
    ['Type', fields.type ?? ''],
    ['Response', describeResponse(fields)],
    ['Arrival', fields.arrival === 'complete' ? '' : words(fields.arrival)],
    ['Reason', fields.reason ?? ''],
    ['Target', fields.target ?? ''],
    ['Location', fields.locationName ?? ''],
    ['Endpoint', fields.endpointName ?? ''],
    ['Secret', fields.secretName ?? ''],
    ['From', withDetail(fields.remoteAddress, fields.relay?.name ?? fields.via)],
    ['Duplicate of', duplicateOf === null ? '' : `#${duplicateOf.id}, same ${duplicateOf.by}`],
    [
      bodyRedacted ? 'Body as redacted' : 'SHA-256 of the body',
      bodyRedacted ? 'Its signature cannot be verified again.' : fields.sha256,
    ],
    ['Tags', fields.tags.join(', ')],
    ['Note', fields.note],
  ]
}

/** One compressed delivery must not make the file grow a thousandfold. */
const decodedLimit = 1024 * 1024

function decoded(body: Uint8Array, headers: Delivery['headers']): Uint8Array {
  if (encodingsOf(headers).length === 0) return body
  return decodeSmall(body, headers, decodedLimit) ?? body
}

function attemptBlock({ fields, requestBody, answerBody }: ExportedAttempt): string {
  const { sentAt, kind, method, url, request, response, error } = fields
  const failed = response === null || response.status >= 400
  const content = [
    error === null ? '' : `<p class="why">${text(error.message)}</p>\n`,
    factList([
      ['Duration', formatMilliseconds(fields.durationMs)],
      ['Signature', fields.signing],
      ['Secret', fields.secretName ?? ''],
      ['To', fields.remoteAddress ?? ''],
      ...fields.notes.map((note): Fact => ['Note', note]),
    ]),
    headerBlock('Request', `${method} ${request.target}`, request.headers),
    requestBody === null ? '' : bodyBlock('Edited body', requestBody),
    response === null ? '' : headerBlock('Response', statusLine(response), response.headers),
    answerBody === null ? '' : bodyBlock('Response body', answerBody),
  ]
  const summary = row({
    tone: failed ? 'bad' : 'good',
    badge: response === null ? 'no response' : String(response.status),
    name: `${attemptVerbs[kind]}${fields.edited ? ', edited' : ''}: ${method} ${url}`,
    when: isoTime(sentAt),
  })
  return itemDetails(summary, content.join(''))
}

function rehearsalBlock(rehearsal: Rehearsal): string {
  const { id, grade, state, options, startedAt, endedAt, counts, problem } = rehearsal
  const summary = row({
    badge: grade === null ? state : `grade ${grade}`,
    name: `Rehearsal ${id} of ${options.url}`,
    when: isoTime(startedAt),
    why: problem?.message ?? '',
  })
  const content = factList([
    ['State', state],
    ['Ended', endedAt === null ? '' : isoTime(endedAt)],
    ['Grade limited by', rehearsal.cappedBy ?? ''],
    ...Object.entries(counts).map(([result, count]): Fact => [result, String(count)]),
    ...(problem?.causes ?? []).map((cause): Fact => ['Possible cause', cause]),
  ])
  return itemDetails(summary, content)
}

const resultTones: Readonly<Record<RehearsalResult, Tone>> = {
  pass: 'good',
  fail: 'bad',
  warn: 'warn',
  flaky: 'warn',
  review: '',
  skipped: '',
}

function caseBlock({ rehearsal, result, requests }: RehearsalCaseItem): string {
  const summary = row({
    tone: resultTones[result.result],
    badge: result.result,
    name: `Rehearsal ${rehearsal}, case ${result.id}, ${result.level}`,
    why: result.reason ?? '',
  })
  const content = [
    factList([
      ['Sent', result.sent],
      ['Expected', result.expected],
      ['Received', result.received],
      ['Repeat', result.repeat],
      ...result.variants.map((variant): Fact => [
        `Variant ${variant.name}`,
        withDetail(`${variant.result}, ${variant.received}`, variant.reason),
      ]),
    ]),
    ...requests.map(rehearsalRequest),
  ]
  return itemDetails(summary, content.join(''))
}

function rehearsalRequest(request: RehearsalRequest): string {
  const { method, url, status, error, omitted, durationMs } = request
  const content = [
    headerBlock('Request', `${method} ${url}`, request.headers),
    omitted === undefined
      ? bodyBlock('Body', request.body)
      : `<p>Bodies are not included. ${text(omitted)}</p>\n`,
    status === null ? '' : headerBlock('Response', String(status), request.responseHeaders),
    omitted === undefined && status !== null
      ? bodyBlock('Response body', request.responseBody)
      : '',
  ]
  const summary = row({
    badge: status === null ? 'no response' : String(status),
    name: withDetail(`${request.variant} in ${formatMilliseconds(durationMs)}`, error),
  })
  return itemDetails(summary, content.join(''))
}

function runBlock(run: Run): string {
  const { id, kind, state, failure, startedAt, redirectUrl, steps } = run
  const summary = row({
    tone: state === 'failed' ? 'bad' : state === 'succeeded' ? 'good' : '',
    badge: state,
    name: `${kind === 'refresh' ? 'Refresh' : 'Authorization'} ${id}`,
    when: isoTime(startedAt),
    why: failure?.message ?? '',
  })
  const content = [
    failure === null
      ? ''
      : `<div class="note bad"><p><b>${text(failure.message)}</b></p>\n<p>${text(`${failure.meaning} ${failure.remedy}`)}</p></div>\n`,
    factList([
      ['Redirect URL', redirectUrl],
      ['Authorization URL', run.authorizeUrl ?? ''],
    ]),
    findingList(run.findings),
    ...steps.map(stepBlock),
  ]
  return itemDetails(summary, content.join(''))
}

function stepBlock({ title, outcome, detail, facts, request, response }: RunStep): string {
  const content = [
    factList(facts.map(({ name, value }): Fact => [name, value])),
    request === null
      ? ''
      : headerBlock('Request', `${request.method} ${request.url}`, request.headers) +
        bodyBlock('Body', Buffer.from(request.body ?? '')),
    response === null
      ? ''
      : headerBlock('Response', statusLine(response), response.headers) +
        bodyBlock('Response body', Buffer.from(response.body ?? '')),
  ]
  const tone = outcome === 'failed' ? 'bad' : ''
  return itemDetails(
    row({ tone, badge: outcome, name: withDetail(title, detail) }),
    content.join(''),
  )
}

function statusLine({ status, statusText }: { status: number; statusText: string }): string {
  return `${status} ${statusText}`.trim()
}

function withDetail(value: string, detail: string | null): string {
  return detail === null || detail === '' ? value : `${value}: ${detail}`
}

function words(code: string): string {
  return code.replaceAll('_', ' ')
}

export default html
