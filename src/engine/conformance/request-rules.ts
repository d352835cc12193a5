import type { Arrival } from '#contract/models.ts'
import type { BodyKind } from '../capture/parse-text.ts'
import type { FindingCollector } from './finding-collector.ts'

export interface RequestFacts {
  readonly method: string
  readonly arrival: Arrival
  readonly body: BodyKind
  readonly signatures: number
  readonly upperCaseSignature: boolean
  readonly signatureHeader: string
  readonly hasEndpoint: boolean
}

/** Everything that does not depend on the fields of the payload. */
export function checkRequest(facts: RequestFacts, findings: FindingCollector): void {
  const { method, arrival, body, signatures, signatureHeader } = facts
  if (!facts.hasEndpoint) {
    findings.add('request.no_endpoint', 'request')
  }
  if (arrival === 'too_large') findings.add('body.too_large', 'body')
  else if (arrival !== 'complete') findings.add(`request.${arrival}`, 'request')
  if (method !== 'POST' && arrival !== 'malformed') {
    findings.add('request.method', 'request', { expected: 'POST', actual: method })
  }
  // If the body is incomplete, the arrival explains what is missing.
  if (arrival === 'complete' && body !== 'object') findings.add(`body.${body}`, 'body')
  const location = `header.${signatureHeader}`
  if (signatures > 1) {
    findings.add('signature.repeated', location, { expected: '1', actual: String(signatures) })
  }
  if (facts.upperCaseSignature) {
    findings.add('signature.upper_case', location)
  }
}
