import { headerName } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Arrival, Finding, Verdict } from '#contract/models.ts'
import { Departures } from '../conformance/departures.ts'
import { allOf, receiveHeaders, valuesOf } from '../conformance/received-headers.ts'
import { checkBody, checkHeaders } from '../conformance/rules.ts'
import { verify, type SignatureOutcome } from '../signature/verify.ts'
import type { InspectedEndpoint } from './messages.ts'
import { parseBody } from './parse-body.ts'
import type { ParsedBody } from './parse-text.ts'
import { checkRequest } from '../conformance/request.ts'

export interface InspectedRequest {
  readonly method: string
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
  readonly arrival: Arrival
}

/** What is told of a delivery from its bytes and its endpoint before it is answered. */
export interface Inspection {
  readonly type: string | null
  readonly target: string | null
  readonly locationName: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number | null
  readonly verdict: Verdict
  readonly secretName: string | null
  readonly findings: readonly Finding[]
}

/** Longest text of a body that a row repeats, in characters. */
const textLimit = 300

/** Pure: the same bytes and endpoint give the same answer. Runs before the answer goes out, so every microsecond counts. */
export function inspect(
  request: InspectedRequest,
  endpoint: InspectedEndpoint | null,
  fallbackBrand: string,
): Inspection {
  const { body } = request
  const parsed = parseBody(body)
  const payload: Payload = parsed.kind === 'object' ? parsed.payload : {}
  const { outcome, findings } = endpoint
    ? inspectFor(endpoint, request, parsed)
    : inspectUnaddressed(request, parsed, fallbackBrand)
  return {
    type: typeof payload.type === 'string' ? cut(payload.type) : null,
    target: identifier(payload.targetUuid) ?? identifier(payload.targetId),
    locationName: typeof payload.locationName === 'string' ? cut(payload.locationName) : null,
    createdAt: instant(payload.createdAt),
    verdict: outcome.verdict,
    secretName: outcome.secretName,
    findings,
  }
}

interface Judged {
  readonly outcome: SignatureOutcome
  readonly findings: readonly Finding[]
}

function inspectFor(
  { keys, rules }: InspectedEndpoint,
  { method, arrival, rawHeaders, body }: InspectedRequest,
  parsed: ParsedBody,
): Judged {
  const { plan } = rules.headers
  const { signature } = plan.documented
  const received = receiveHeaders(rawHeaders, plan)
  const signatures = allOf(received, signature)
  const outcome = verify(body, signatures, keys)
  const departures = new Departures()
  checkRequest(
    {
      method,
      arrival,
      body: parsed.kind,
      signatures: signatures.length,
      upperCaseSignature: outcome.upperCase,
      signatureHeader: signature.lowerName,
      hasEndpoint: true,
    },
    departures,
  )
  // Of a request that is not whole, or has no body, the rest follows from that: it is not told again.
  if (arrival === 'complete' && parsed.kind !== 'empty') {
    checkHeaders(rules, received, parsed.kind === 'object' ? parsed.payload : null, departures)
    if (parsed.kind === 'object') checkBody(rules, parsed, departures)
  }
  return { outcome, findings: departures.all() }
}

function inspectUnaddressed(
  { method, arrival, rawHeaders, body }: InspectedRequest,
  parsed: ParsedBody,
  brand: string,
): Judged {
  const signatureHeader = headerName(brand, 'signature').toLowerCase()
  const signatures = valuesOf(rawHeaders, signatureHeader)
  const outcome = verify(body, signatures, [])
  const departures = new Departures()
  checkRequest(
    {
      method,
      arrival,
      body: parsed.kind,
      signatures: signatures.length,
      upperCaseSignature: outcome.upperCase,
      signatureHeader,
      hasEndpoint: false,
    },
    departures,
  )
  return { outcome, findings: departures.all() }
}

/** An identifier as text: the document says string, and a number is shown as one. */
function identifier(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return cut(value)
  return typeof value === 'number' ? String(value) : null
}

/** ISO 8601 with a time and its zone. Date.parse takes "Table 5" for a day in May, and a time without a zone for one of here. */
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

function instant(value: unknown): number | null {
  if (typeof value !== 'string' || !isoInstant.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}

/** Well-formed, since half a character pair would be another text once it is stored. */
function cut(value: string): string {
  return (value.length > textLimit ? `${value.slice(0, textLimit)}…` : value).toWellFormed()
}
