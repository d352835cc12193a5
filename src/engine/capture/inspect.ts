import { headerName } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Arrival, Finding, Verdict } from '#contract/models.ts'
import { requestFindings } from '../conformance/request.ts'
import { verify, type NamedKey } from '../signature/verify.ts'
import { parseBody } from './parse-body.ts'

/** What the capture thread knows of an endpoint. */
export interface InspectedEndpoint {
  readonly id: number
  readonly name: string
  readonly brand: string
  /** Lower-case name of the signature header under the brand. */
  readonly signatureHeader: string
  readonly keys: readonly NamedKey[]
}

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
  const { body, rawHeaders } = request
  const signatureHeader =
    endpoint?.signatureHeader ?? headerName(fallbackBrand, 'signature').toLowerCase()
  const received = valuesOf(rawHeaders, signatureHeader)
  const outcome = verify(body, received, endpoint?.keys ?? [])
  const parsed = parseBody(body)
  const payload: Payload = parsed.kind === 'object' ? parsed.payload : {}
  return {
    type: typeof payload.type === 'string' ? cut(payload.type) : null,
    target: identifier(payload.targetUuid) ?? identifier(payload.targetId),
    locationName: typeof payload.locationName === 'string' ? cut(payload.locationName) : null,
    createdAt: instant(payload.createdAt),
    verdict: outcome.verdict,
    secretName: outcome.secretName,
    findings: requestFindings({
      method: request.method,
      arrival: request.arrival,
      body: parsed.kind,
      signatures: received.length,
      upperCaseSignature: outcome.upperCase,
      hasEndpoint: endpoint !== null,
    }),
  }
}

/** Every value that came under a header's lower-case name, in order. */
export function valuesOf(rawHeaders: readonly string[], lowerName: string): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    // Most names differ in length: lower-casing only the others saves a microsecond a delivery.
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) {
      values.push(rawHeaders[i + 1] ?? '')
    }
  }
  return values
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
