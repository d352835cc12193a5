import type { Arrival } from '#contract/models.ts'
import type { BodyKind } from '../capture/parse-text.ts'
import type { Departures } from './departures.ts'

export interface RequestFacts {
  readonly method: string
  readonly arrival: Arrival
  readonly body: BodyKind
  /** How many signature headers came. */
  readonly signatures: number
  readonly upperCaseSignature: boolean
  /** Lower-case name of the signature header. */
  readonly signatureHeader: string
  readonly hasEndpoint: boolean
}

/** Departures that show before the payload's own fields are looked at. */
export function checkRequest(facts: RequestFacts, departures: Departures): void {
  const { method, arrival, body, signatures, signatureHeader } = facts
  if (!facts.hasEndpoint) {
    departures.add(
      'request.no_endpoint',
      'request',
      'No endpoint has this path, so the response was 404 and no signature was checked.',
    )
  }
  if (arrival !== 'complete') checkArrival(arrival, departures)
  if (method !== 'POST' && arrival !== 'malformed') {
    departures.add(
      'request.method',
      'request',
      'Every delivery of the service is a POST (API documentation, "Delivery").',
      { expected: 'POST', actual: method },
    )
  }
  // What is missing of a body that did not come whole is told by its arrival.
  if (arrival === 'complete' && body !== 'object') checkBodyKind(body, departures)
  const place = `header.${signatureHeader}`
  if (signatures > 1) {
    departures.add(
      'signature.repeated',
      place,
      'The signature header was sent more than once; every value was checked.',
      { expected: '1', actual: String(signatures) },
    )
  }
  if (facts.upperCaseSignature) {
    departures.add(
      'signature.upper_case',
      place,
      'The signature matches, but its hex digits are upper case. A handler that compares text would refuse it.',
    )
  }
}

function checkArrival(arrival: Exclude<Arrival, 'complete'>, departures: Departures): void {
  switch (arrival) {
    case 'too_large':
      departures.add(
        'body.too_large',
        'body',
        'The body is larger than the limit in the settings; only its start was stored.',
      )
      break
    case 'cut_off':
      departures.add('request.cut_off', 'request', 'The request ended before it was complete.')
      break
    case 'malformed':
      departures.add('request.malformed', 'request', 'This is not a request that HTTP/1.1 allows.')
  }
}

function checkBodyKind(body: Exclude<BodyKind, 'object'>, departures: Departures): void {
  switch (body) {
    case 'empty':
      departures.add(
        'body.empty',
        'body',
        'Every delivery has a JSON body (API documentation, "Delivery"); this one has none.',
      )
      break
    case 'not_utf8':
      departures.add(
        'body.not_utf8',
        'body',
        'The body is not UTF-8, which JSON must be (RFC 8259, 8.1).',
      )
      break
    case 'not_json':
      departures.add(
        'body.not_json',
        'body',
        'The body is not JSON (API documentation, "Delivery").',
      )
      break
    case 'not_object':
      departures.add(
        'body.not_object',
        'body',
        'The body is JSON, but not an object (API documentation, "Webhook payload").',
      )
  }
}
