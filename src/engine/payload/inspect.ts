import { headerName } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import { factsOf } from '#catalogue/facts.ts'
import type { Arrival, Facts, FindingData, Verdict } from '#contract/models.ts'
import { FindingCollector } from './conformance/finding-collector.ts'
import { allValues, receiveHeaders, valuesOf } from './conformance/received-headers.ts'
import { checkBody, checkHeaders } from './conformance/rules.ts'
import { signatureValues, verify, type SignatureOutcome } from './signature/verify.ts'
import type { InspectedEndpoint } from './endpoint.ts'
import { parseBody, type ParsedBody, type BodyKind } from './parse-body.ts'
import { titleOf } from '#catalogue/catalogue.ts'
import type { KnownCode } from '#catalogue/findings.ts'

export interface Inspection {
  readonly type: string | null
  readonly title: string
  readonly facts: Facts | null
  readonly target: string | null
  readonly locationName: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number | null
  readonly verdict: Verdict
  readonly secretName: string | null
  readonly findings: readonly FindingData[]
}

/** What a sender may speak on the port instead of HTTP/1.1. */
export type OtherProtocol = 'tls' | 'http2' | 'proxy_protocol'

export interface InspectedRequest {
  readonly method: string
  /** A flat list in the order received: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
  readonly arrival: Arrival
  /** The path of the endpoint that was probably meant. */
  readonly nearPath?: string | null
  readonly protocol?: OtherProtocol | null
}

const textLimit = 300

/** Pure. Runs before the response is sent, so it must be fast. */
export function inspect(
  request: InspectedRequest,
  endpoint: InspectedEndpoint | null,
  fallbackBrand: string,
): Inspection {
  const { body } = request
  const parsed = parseBody(body)
  const payload: Payload = parsed.kind === 'object' ? parsed.payload : {}
  const { outcome, findings } = endpoint
    ? inspectForEndpoint(endpoint, request, parsed)
    : inspectWithoutEndpoint(request, parsed, fallbackBrand)
  return {
    type: typeof payload.type === 'string' ? truncate(payload.type) : null,
    title: titleOfDelivery(parsed, findings),
    facts: factsOf(payload),
    target: identifier(payload.targetUuid) ?? identifier(payload.targetId),
    locationName: typeof payload.locationName === 'string' ? truncate(payload.locationName) : null,
    createdAt: instant(payload.createdAt),
    verdict: outcome.verdict,
    secretName: outcome.secretName,
    findings,
  }
}

interface CheckResult {
  readonly outcome: SignatureOutcome
  readonly findings: readonly FindingData[]
}

function inspectForEndpoint(
  { keys, rules }: InspectedEndpoint,
  request: InspectedRequest,
  parsed: ParsedBody,
): CheckResult {
  const { arrival, rawHeaders, body } = request
  const { plan } = rules.headers
  const { signature } = plan.documented
  const received = receiveHeaders(rawHeaders, plan)
  const signatures = signatureValues(allValues(received, signature))
  const outcome = verify(body, signatures, keys)
  const findings = new FindingCollector()
  checkRequest(
    {
      request,
      body: parsed.kind,
      signatures: signatures.length,
      upperCaseSignature: outcome.upperCase,
      signatureHeader: signature.lowerName,
      hasEndpoint: true,
    },
    findings,
  )
  // For an incomplete or empty request, the other checks would only repeat its own finding.
  if (arrival === 'complete' && parsed.kind !== 'empty') {
    checkHeaders(rules, received, parsed.kind === 'object' ? parsed.payload : null, findings)
    if (parsed.kind === 'object') checkBody(rules, parsed, findings)
  }
  return { outcome, findings: findings.all() }
}

function inspectWithoutEndpoint(
  request: InspectedRequest,
  parsed: ParsedBody,
  brand: string,
): CheckResult {
  const { rawHeaders, body } = request
  const signatureHeader = headerName(brand, 'signature').toLowerCase()
  const signatures = valuesOf(rawHeaders, signatureHeader)
  const outcome = verify(body, signatures, [])
  const findings = new FindingCollector()
  checkRequest(
    {
      request,
      body: parsed.kind,
      signatures: signatures.length,
      upperCaseSignature: outcome.upperCase,
      signatureHeader,
      hasEndpoint: false,
    },
    findings,
  )
  return { outcome, findings: findings.all() }
}

/** The API documentation says string; a number is converted. */
function identifier(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return truncate(value)
  return typeof value === 'number' ? String(value) : null
}

/** With a time and a zone: `Date.parse` would accept "Table 5" as a day in May, and read a time without a zone as local time. */
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

function instant(value: unknown): number | null {
  if (typeof value !== 'string' || !isoInstant.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}

/** Half a surrogate pair would change when it is stored. */
function truncate(value: string): string {
  return (value.length > textLimit ? `${value.slice(0, textLimit)}…` : value).toWellFormed()
}

interface RequestFacts {
  readonly request: InspectedRequest
  readonly body: BodyKind
  readonly signatures: number
  readonly upperCaseSignature: boolean
  readonly signatureHeader: string
  readonly hasEndpoint: boolean
}

/** Everything that does not depend on the fields of the payload. */
function checkRequest(facts: RequestFacts, findings: FindingCollector): void {
  const { request, signatures, signatureHeader } = facts
  const { method, arrival } = request
  // Of an incomplete or invalid request, the path may be unknown.
  if (!facts.hasEndpoint && (arrival === 'complete' || arrival === 'too_large')) {
    const { nearPath } = request
    findings.add('request.no_endpoint', 'request', nearPath ? { expected: nearPath } : {})
  }
  if (arrival === 'too_large') findings.add('body.too_large', 'body')
  else if (arrival !== 'complete') findings.add(`request.${request.protocol ?? arrival}`, 'request')
  if (method !== 'POST' && arrival !== 'malformed') {
    findings.add('request.method', 'request', { expected: 'POST', actual: method })
  }
  // If the body is incomplete, the arrival explains what is missing.
  if (arrival === 'complete') checkContent(request, facts.body, findings)
  const location = `header.${signatureHeader}`
  if (signatures > 1) {
    findings.add('signature.repeated', location, { expected: '1', actual: String(signatures) })
  }
  if (facts.upperCaseSignature) {
    findings.add('signature.upper_case', location)
  }
}

function checkContent(
  { body, rawHeaders }: InspectedRequest,
  kind: BodyKind,
  findings: FindingCollector,
): void {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    findings.add('body.byte_order_mark', 'body', { expected: '{', actual: 'EF BB BF' })
  }
  if (kind === 'object') return
  const encoding = kind === 'empty' ? '' : valuesOf(rawHeaders, 'content-encoding').join(', ')
  if (encoding === '' || /^identity$/i.test(encoding)) findings.add(`body.${kind}`, 'body')
  else findings.add('body.encoded', 'body', { actual: encoding })
}

const titles: Partial<Record<KnownCode, string>> = {
  'request.tls': 'TLS connection, not HTTP',
  'request.http2': 'HTTP/2 connection, not HTTP/1.1',
  'request.proxy_protocol': 'PROXY protocol, not HTTP',
  'body.encoded': 'Body is compressed',
}

/** Pure. `findings`: of the same delivery. */
export function titleOfDelivery(parsed: ParsedBody, findings: readonly { code: string }[]): string {
  if (parsed.kind === 'object') return titleOfBody(parsed)
  const [, title] =
    Object.entries(titles).find(([code]) => findings.some((finding) => finding.code === code)) ?? []
  return title ?? titleOfBody(parsed)
}

/** Pure. */
export function titleOfBody(parsed: ParsedBody): string {
  switch (parsed.kind) {
    case 'object':
      return titleOf(parsed.payload)
    case 'empty':
      return 'No body'
    case 'not_utf8':
      return 'Body is not UTF-8'
    case 'not_json':
      return 'Body is not JSON'
    case 'not_object':
      return 'Body is JSON, but not an object'
  }
}
