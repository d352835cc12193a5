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
  if (arrival !== 'complete') checkArrival(arrival, findings)
  if (method !== 'POST' && arrival !== 'malformed') {
    findings.add('request.method', 'request', { expected: 'POST', actual: method })
  }
  // If the body is incomplete, the arrival explains what is missing.
  if (arrival === 'complete' && body !== 'object') checkBodyKind(body, findings)
  const location = `header.${signatureHeader}`
  if (signatures > 1) {
    findings.add('signature.repeated', location, { expected: '1', actual: String(signatures) })
  }
  if (facts.upperCaseSignature) {
    findings.add('signature.upper_case', location)
  }
}

function checkArrival(arrival: Exclude<Arrival, 'complete'>, findings: FindingCollector): void {
  switch (arrival) {
    case 'too_large':
      findings.add('body.too_large', 'body')
      break
    case 'cut_off':
      findings.add('request.cut_off', 'request')
      break
    case 'malformed':
      findings.add('request.malformed', 'request')
  }
}

function checkBodyKind(body: Exclude<BodyKind, 'object'>, findings: FindingCollector): void {
  switch (body) {
    case 'empty':
      findings.add('body.empty', 'body')
      break
    case 'not_utf8':
      findings.add('body.not_utf8', 'body')
      break
    case 'not_json':
      findings.add('body.not_json', 'body')
      break
    case 'not_object':
      findings.add('body.not_object', 'body')
  }
}
