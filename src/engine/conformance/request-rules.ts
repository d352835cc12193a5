import type { InspectedRequest } from '../capture/received-request.ts'
import type { BodyKind } from '../capture/parse-text.ts'
import type { FindingCollector } from './finding-collector.ts'
import { valuesOf } from './received-headers.ts'

export interface RequestFacts {
  readonly request: InspectedRequest
  readonly body: BodyKind
  readonly signatures: number
  readonly upperCaseSignature: boolean
  readonly signatureHeader: string
  readonly hasEndpoint: boolean
}

/** Everything that does not depend on the fields of the payload. */
export function checkRequest(facts: RequestFacts, findings: FindingCollector): void {
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
