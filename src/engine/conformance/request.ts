import type { Arrival, Finding } from '#contract/models.ts'
import type { BodyKind } from '../capture/parse-body.ts'

export interface RequestFacts {
  readonly method: string
  readonly arrival: Arrival
  readonly body: BodyKind
  /** How many signature headers came. */
  readonly signatures: number
  readonly upperCaseSignature: boolean
  readonly hasEndpoint: boolean
}

const none: readonly Finding[] = []

/** Departures that show before the payload's own fields are looked at. The codes are stable. */
export function requestFindings(facts: RequestFacts): readonly Finding[] {
  if (
    facts.method === 'POST' &&
    facts.arrival === 'complete' &&
    facts.body === 'object' &&
    facts.signatures < 2 &&
    !facts.upperCaseSignature &&
    facts.hasEndpoint
  ) {
    return none
  }
  return [
    endpointFinding(facts.hasEndpoint),
    arrivalFinding(facts.arrival),
    methodFinding(facts.method, facts.arrival),
    // What is missing of a body that did not come whole is told by its arrival.
    facts.arrival === 'complete' ? bodyFinding(facts.body) : null,
    facts.signatures > 1 ? repeatedSignature(facts.signatures) : null,
    facts.upperCaseSignature ? upperCaseSignature : null,
  ].filter((finding) => finding !== null)
}

function endpointFinding(hasEndpoint: boolean): Finding | null {
  if (hasEndpoint) return null
  return {
    code: 'request.no_endpoint',
    severity: 'warning',
    place: 'request',
    message: 'No endpoint has this path, so the answer was 404 and no signature was checked.',
  }
}

function arrivalFinding(arrival: Arrival): Finding | null {
  switch (arrival) {
    case 'complete':
      return null
    case 'too_large':
      return {
        code: 'body.too_large',
        severity: 'error',
        place: 'body',
        message: 'The body is larger than the limit in the settings; only its beginning was kept.',
      }
    case 'cut_off':
      return {
        code: 'request.cut_off',
        severity: 'error',
        place: 'request',
        message: 'The request ended before it was whole.',
      }
    case 'malformed':
      return {
        code: 'request.malformed',
        severity: 'error',
        place: 'request',
        message: 'This is not a request that HTTP/1.1 allows.',
      }
  }
}

function methodFinding(method: string, arrival: Arrival): Finding | null {
  if (method === 'POST' || arrival === 'malformed') return null
  return {
    code: 'request.method',
    severity: 'warning',
    place: 'request',
    message: 'Every delivery of the service is a POST (SPEC, "Delivery").',
    expected: 'POST',
    actual: method,
  }
}

function bodyFinding(body: BodyKind): Finding | null {
  switch (body) {
    case 'object':
      return null
    case 'empty':
      return {
        code: 'body.empty',
        severity: 'error',
        place: 'body',
        message: 'Every delivery has a JSON body (SPEC, "Delivery"); this one has none.',
      }
    case 'not_utf8':
      return {
        code: 'body.not_utf8',
        severity: 'error',
        place: 'body',
        message: 'The body is not UTF-8, which JSON must be (RFC 8259, 8.1).',
      }
    case 'not_json':
      return {
        code: 'body.not_json',
        severity: 'error',
        place: 'body',
        message: 'The body is not JSON (SPEC, "Delivery").',
      }
    case 'not_object':
      return {
        code: 'body.not_object',
        severity: 'error',
        place: 'body',
        message: 'The body is JSON, but no object (SPEC, "Webhook payload").',
      }
  }
}

function repeatedSignature(times: number): Finding {
  return {
    code: 'signature.repeated',
    severity: 'warning',
    place: 'header.signature',
    message: 'The signature header came more than once; every value was tried.',
    expected: '1',
    actual: String(times),
  }
}

const upperCaseSignature: Finding = {
  code: 'signature.upper_case',
  severity: 'info',
  place: 'header.signature',
  message:
    'The signature matches, but its hex digits are upper case. A handler that compares text would refuse it.',
}
