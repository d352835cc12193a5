import type { Arrival } from '#contract/models.ts'
import type { BodyKind } from '../capture/parse-text.ts'
import type { FindingCollector } from './finding-collector.ts'

export interface RequestFacts {
  readonly method: string
  readonly arrival: Arrival
  readonly body: BodyKind
  /** Number of signature headers. */
  readonly signatures: number
  readonly upperCaseSignature: boolean
  /** Lower-case name of the signature header. */
  readonly signatureHeader: string
  readonly hasEndpoint: boolean
}

/** Checks everything that does not depend on the fields of the payload. */
export function checkRequest(facts: RequestFacts, findings: FindingCollector): void {
  const { method, arrival, body, signatures, signatureHeader } = facts
  if (!facts.hasEndpoint) {
    findings.add(
      'request.no_endpoint',
      'request',
      'No endpoint has this path, so the response was 404 and no signature was checked.',
    )
  }
  if (arrival !== 'complete') checkArrival(arrival, findings)
  if (method !== 'POST' && arrival !== 'malformed') {
    findings.add(
      'request.method',
      'request',
      'Every delivery of the service is a POST request (API documentation, "Delivery").',
      { expected: 'POST', actual: method },
    )
  }
  // If the body is incomplete, the arrival explains what is missing.
  if (arrival === 'complete' && body !== 'object') checkBodyKind(body, findings)
  const place = `header.${signatureHeader}`
  if (signatures > 1) {
    findings.add(
      'signature.repeated',
      place,
      'The signature header was sent more than once; every value was checked.',
      { expected: '1', actual: String(signatures) },
    )
  }
  if (facts.upperCaseSignature) {
    findings.add(
      'signature.upper_case',
      place,
      'The signature matches, but its hex digits are upper case. A handler that compares text would reject it.',
    )
  }
}

function checkArrival(arrival: Exclude<Arrival, 'complete'>, findings: FindingCollector): void {
  switch (arrival) {
    case 'too_large':
      findings.add(
        'body.too_large',
        'body',
        'The body is larger than the limit in the settings; only its start was stored.',
      )
      break
    case 'cut_off':
      findings.add('request.cut_off', 'request', 'The request ended before it was complete.')
      break
    case 'malformed':
      findings.add('request.malformed', 'request', 'This is not a valid HTTP/1.1 request.')
  }
}

function checkBodyKind(body: Exclude<BodyKind, 'object'>, findings: FindingCollector): void {
  switch (body) {
    case 'empty':
      findings.add(
        'body.empty',
        'body',
        'Every delivery has a JSON body (API documentation, "Delivery"); this one has none.',
      )
      break
    case 'not_utf8':
      findings.add(
        'body.not_utf8',
        'body',
        'The body is not UTF-8, which JSON must be (RFC 8259, 8.1).',
      )
      break
    case 'not_json':
      findings.add('body.not_json', 'body', 'The body is not JSON (API documentation, "Delivery").')
      break
    case 'not_object':
      findings.add(
        'body.not_object',
        'body',
        'The body is JSON, but not an object (API documentation, "Webhook payload").',
      )
  }
}
