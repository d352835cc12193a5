import { describeFindings } from '#catalogue/findings.ts'
import { draftBodyLimit } from '#contract/constants.ts'
import type { DraftContent, DraftProblem, PreparedHeader, Preview } from '#contract/compose.ts'
import type { Finding, Header } from '#contract/models.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { composeHeaders, decideSignature } from './draft-headers.ts'
import { isChunked, sameHeaders, withoutHeader, namesOf, declaresJson } from './header-list.ts'
import {
  faultOfField,
  faultOfMethod,
  isToken,
  shownName,
} from '../../platform/http/request-head.ts'
import { type Filling, Placeholders, placeholderNames } from './placeholders.ts'
import { faultOfFraming, type WireRequest } from '../wire/request-bytes.ts'
import { requestTarget } from './request-target.ts'
import { inspectedEndpoint, type EndpointRoute } from '../../payload/endpoint.ts'
import { inspect } from '../../payload/inspect.ts'
import { hash } from 'node:crypto'
import { verify } from '../../payload/signature/verify.ts'
import { keysOf } from './signing.ts'
import { type Composing, problem, isInvalidJson, losesEncoding } from './body-facts.ts'
import { AppError } from '../../platform/errors.ts'
import { parseTarget } from '../target.ts'

export interface Prepared {
  readonly request: WireRequest
  /** Whether anything but `Host` differs from the captured delivery. */
  readonly edited: boolean
  readonly bodyEdited: boolean
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  /** "current of Main" */
  readonly secretName: string | null
  readonly notes: readonly string[]
  readonly asStored: boolean
  /** Hex; null if it is not computed yet. */
  readonly sha256: string | null
}

function methodProblems(method: string): DraftProblem[] {
  const fault = faultOfMethod(method)
  return fault === null ? [] : [problem('error', 'method.invalid', 'method', fault)]
}

function capturedProblems(content: DraftContent, captured: Captured | null): DraftProblem[] {
  if (content.body.kind !== 'captured') return []
  if (!captured) {
    const message = 'The original delivery and its body were deleted. Enter a body.'
    return [problem('error', 'body.gone', 'body', message)]
  }
  if (captured.whole) return []
  const message = 'Only the start of the captured body was stored. Enter a body.'
  return [problem('error', 'body.partial', 'body', message)]
}

/** Warnings only: the draft can be sent anyway. */
function bodyProblems(headers: readonly Header[], of: Composing): DraftProblem[] {
  const { content, body } = of
  const problems: DraftProblem[] = []
  const isEncoded = content.headers.some(
    ({ name, on, byHand }) => on && !byHand && name.toLowerCase() === 'content-encoding',
  )
  if (isEncoded && losesEncoding(of)) {
    const message =
      'Content-Encoding is left out, because the body was replaced. Set it to send it.'
    problems.push(problem('warning', 'body.encoding', 'body', message))
  }
  if (declaresJson(headers) && isInvalidJson(body)) {
    const message = 'Content-Type is JSON, but the body is not JSON. It is sent anyway.'
    problems.push(problem('warning', 'body.not_json', 'body', message))
  }
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    const message =
      'The body begins with a byte order mark, which many JSON parsers reject (RFC 8259, 8.1).'
    problems.push(problem('warning', 'body.bom', 'body', message))
  }
  return problems
}

const maxUnknown = 5

function unknownPlaceholders(
  unknown: readonly string[],
  field: 'url' | 'headers' | 'body',
  header: number | null = null,
): DraftProblem[] {
  return unknown.slice(0, maxUnknown).map((placeholder) => {
    const message = `${shownName(placeholder)} is not a placeholder and is sent unchanged. Available placeholders: ${placeholderNames}.`
    return problem('info', 'placeholders.unknown', field, message, header)
  })
}

interface FilledDraft {
  readonly of: Composing
  readonly problems: readonly DraftProblem[]
  readonly filled: Uint8Array | null
}

function fillDraft(
  content: DraftContent,
  captured: Captured | null,
  filling: Filling,
  configuration: SenderConfiguration,
): FilledDraft {
  const written = content.body.kind === 'bytes' ? content.body.bytes : (captured?.body ?? empty)
  const texts = content.placeholders
    ? fillAll(content, written, filling)
    : asWritten(content, written)
  const address = parseDraftUrl(texts.url)
  const endpoint = configuration.endpoint(content.endpointId)
  const { body } = texts
  const bodyUnchanged =
    captured !== null &&
    captured.whole &&
    (body === captured.body || Buffer.compare(body, captured.body) === 0)
  // If the delivery has no endpoint, or it was deleted, no other endpoint's secret is used automatically.
  const original = captured && configuration.endpoint(captured.endpointId)
  const sameEndpoint = captured !== null && (!original || !endpoint || original.id === endpoint.id)
  const brand =
    (sameEndpoint ? captured?.brand : endpoint?.brand) ??
    captured?.brand ??
    configuration.fallbackBrand
  const of: Composing = {
    content,
    captured,
    endpoint,
    names: namesOf(brand),
    url: address.url,
    values: texts.values,
    body: bodyUnchanged && captured ? captured.body : body,
    bodyUnchanged,
    sameEndpoint,
    configuration,
  }
  const problems = [
    ...(address.url ? [] : [address.problem]),
    ...texts.problems,
    ...capturedProblems(content, captured),
  ]
  return { of, problems, filled: body === written ? null : body }
}

const empty = new Uint8Array()

interface Texts {
  readonly url: string
  readonly values: readonly string[]
  readonly body: Uint8Array
  readonly problems: readonly DraftProblem[]
}

function asWritten({ url, headers }: DraftContent, body: Uint8Array): Texts {
  return { url, values: headers.map(({ value }) => value), body, problems: [] }
}

function fillAll(content: DraftContent, written: Uint8Array, filling: Filling): Texts {
  const placeholders = new Placeholders(filling)
  const problems: DraftProblem[] = []
  const url = placeholders.fill(content.url)
  problems.push(...unknownPlaceholders(url.unknown, 'url'))
  const values = content.headers.map(({ value, on }, index) => {
    if (!on) return value
    const { text, unknown } = placeholders.fill(value)
    problems.push(...unknownPlaceholders(unknown, 'headers', index))
    return text
  })
  const body = placeholders.fillBytes(written)
  problems.push(...unknownPlaceholders(body.unknown, 'body'))
  if (!body.isText) {
    const message = 'The body is not UTF-8, so its placeholders are not filled in.'
    problems.push(problem('info', 'placeholders.not_text', 'body', message))
  }
  return { url: url.text, values, body: body.bytes, problems }
}

function parseDraftUrl(text: string): { url: URL } | { url: null; problem: DraftProblem } {
  const written = text.trim()
  if (written === '') {
    const message = 'Enter the target URL, such as http://localhost:3000/webhooks.'
    return { url: null, problem: problem('error', 'url.empty', 'url', message) }
  }
  try {
    return { url: parseTarget(written) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { url: null, problem: problem('error', 'url.invalid', 'url', error.message) }
  }
}

/** The findings that the endpoint would get for this request. Skipped for a body that is too large to edit, which would delay typing. */
function findingsOf(
  request: {
    method: string
    headers: readonly Header[]
    body: Uint8Array
  },
  route: EndpointRoute | null,
): readonly Finding[] {
  const { method, headers, body } = request
  if (!route || body.byteLength > draftBodyLimit) return []
  const endpoint = inspectedEndpoint(route)
  const rawHeaders = headers.flat()
  return describeFindings(
    inspect({ method, rawHeaders, body, arrival: 'complete' }, endpoint, route.brand),
  )
}

export interface PreparedDraft {
  /** Null if one of the problems is an `error`. */
  readonly prepared: Prepared | null
  readonly problems: readonly DraftProblem[]
  /** Computed when it is read. */
  readonly preview: Preview
}

/** Reports invalid input in `problems` instead of throwing. `captured`: the delivery that the draft is based on. */
export function prepareDraft(
  content: DraftContent,
  captured: Captured | null,
  filling: Filling,
  configuration: SenderConfiguration,
): PreparedDraft {
  const {
    of,
    problems: fillProblems,
    filled,
  } = fillDraft(content, captured, filling, configuration)
  const { body, bodyUnchanged, url, endpoint } = of
  const composed = composeHeaders(of, decideSignature(of))
  const headers = composed.rows.map(({ name, value }): Header => [name, value])
  const trailers = captured && isChunked(headers) ? captured.trailers : []
  const problems = [
    ...methodProblems(content.method),
    ...fillProblems,
    ...headerProblems(composed.rows, { headers, body, trailers }),
    ...bodyProblems(headers, of),
    ...composed.problems,
    ...(captured && trailers.length < captured.trailers.length ? [trailersLeft] : []),
  ]
  const unchanged =
    captured !== null &&
    bodyUnchanged &&
    content.method === captured.method &&
    trailers.length === captured.trailers.length &&
    sameHeaders(withoutHeader(headers, 'host'), withoutHeader(captured.headers, 'host'))
  const { secretName, signing } = composed
  const sha256 = hash('sha256', body, 'hex')
  const previewed = (): Preview => ({
    headers: [...composed.rows],
    leftOut: [...composed.leftOut],
    bytes: body.byteLength,
    sha256,
    filled,
    signature: { ...signatureOf(of, composed.rows), secretName },
    unchanged,
    bodyUnchanged,
    problems,
    findings: [...findingsOf({ method: content.method, headers, body }, endpoint)],
  })
  const sendable = url !== null && !problems.some(({ severity }) => severity === 'error')
  const request = url && {
    method: content.method,
    url,
    target: requestTarget(url, captured?.path ?? ''),
    headers,
    body,
    trailers,
  }
  const prepared =
    sendable && request
      ? {
          request,
          edited: !unchanged,
          bodyEdited: !bodyUnchanged,
          signing,
          secretName,
          notes: notesOf(problems),
          asStored: false,
          sha256,
        }
      : null
  return {
    prepared,
    problems,
    get preview() {
      return previewed()
    },
  }
}

function signatureOf(
  { body, endpoint, names }: Composing,
  rows: readonly PreparedHeader[],
): Pick<Preview['signature'], 'value' | 'verdict'> {
  const values = rows
    .filter(({ name }) => name.toLowerCase() === names.lower.signature)
    .map(({ value }) => value)
  return { value: values[0] ?? null, verdict: verify(body, values, keysOf(endpoint)).verdict }
}

const maxListed = 3

/** Throws `bad_input`, `bad_target`, `secret_unavailable`, `not_found` with the first problems if it cannot be sent. */
export function requirePrepared({ prepared, problems }: PreparedDraft): Prepared {
  if (prepared) return prepared
  const errors = problems.filter(({ severity }) => severity === 'error')
  const message = errors
    .slice(0, maxListed)
    .map((problem) => problem.message)
    .join(' ')
  throw new AppError(errorOf(errors[0]?.code ?? ''), message || 'The draft cannot be sent.', {
    details: { problems: errors.map(({ code }) => code) },
  })
}

function errorOf(problem: string): AppError['code'] {
  if (problem.startsWith('url.')) return 'bad_target'
  if (problem === 'sign.no_secret') return 'secret_unavailable'
  return problem === 'body.gone' ? 'not_found' : 'bad_input'
}

function notesOf(problems: readonly DraftProblem[]): string[] {
  return problems
    .filter(({ severity, code }) => severity === 'warning' || code === 'sign.left_out')
    .map(({ message }) => message)
}

function headerProblems(
  rows: readonly PreparedHeader[],
  request: Parameters<typeof faultOfFraming>[0],
): DraftProblem[] {
  const problems = rows.flatMap(({ name, value, draft }) => {
    const fault = faultOfField(name, value)
    const code = isToken(name) ? 'header.value' : 'header.name'
    return fault === null ? [] : [problem('error', code, 'headers', fault, draft)]
  })
  const fault = faultOfFraming(request)
  if (fault !== null) {
    const row = rows.findLast(({ name }) => /^(?:content-length|transfer-encoding)$/i.test(name))
    problems.push(problem('error', 'header.framing', 'headers', fault, row?.draft ?? null))
  }
  return problems
}

const trailersLeft = problem(
  'warning',
  'header.trailers',
  'headers',
  'The trailers are not sent, because they require a chunked body.',
)
