import { describe, expect, it } from 'vitest'
import { FindingCollector } from '#engine/conformance/finding-collector.ts'
import { checkRequest, type RequestFacts } from '#engine/conformance/request-rules.ts'

const right: RequestFacts = {
  method: 'POST',
  arrival: 'complete',
  body: 'object',
  signatures: 1,
  upperCaseSignature: false,
  signatureHeader: 'x-acme-signature',
  hasEndpoint: true,
}
function requestFindings(facts: RequestFacts) {
  const findings = new FindingCollector()
  checkRequest(facts, findings)
  return findings.all()
}
const codes = (changes: Partial<RequestFacts>) =>
  requestFindings({ ...right, ...changes }).map(({ code }) => code)

/** Each code with a request that has it, and a similar one that does not. */
const cases: [code: string, has: Partial<RequestFacts>, nearly: Partial<RequestFacts>][] = [
  ['request.no_endpoint', { hasEndpoint: false }, { signatures: 0 }],
  ['request.method', { method: 'PUT' }, { method: 'PUT', arrival: 'malformed' }],
  ['request.method', { method: 'post' }, { method: 'POST' }],
  ['request.cut_off', { arrival: 'cut_off' }, { arrival: 'malformed' }],
  ['request.malformed', { arrival: 'malformed' }, { arrival: 'cut_off' }],
  ['body.too_large', { arrival: 'too_large' }, { arrival: 'complete' }],
  ['body.empty', { body: 'empty' }, { body: 'empty', arrival: 'cut_off' }],
  ['body.not_utf8', { body: 'not_utf8' }, { body: 'not_json' }],
  ['body.not_json', { body: 'not_json' }, { body: 'not_json', arrival: 'too_large' }],
  ['body.not_object', { body: 'not_object' }, { body: 'object' }],
  ['signature.repeated', { signatures: 2 }, { signatures: 1 }],
  ['signature.upper_case', { upperCaseSignature: true }, { upperCaseSignature: false }],
]

describe('checkRequest', () => {
  it('finds nothing in a request that matches the API documentation', () => {
    expect(requestFindings(right)).toEqual([])
    expect(requestFindings({ ...right, signatures: 0 })).toEqual([])
  })

  it.each(cases)('finds %s in %j, and not in %j', (code, has, nearly) => {
    expect(codes(has)).toEqual([code])
    expect(codes(nearly)).not.toContain(code)
  })

  it('finds all problems of a request, each once', () => {
    const all = codes({
      method: 'GET',
      body: 'empty',
      signatures: 3,
      upperCaseSignature: true,
      hasEndpoint: false,
    })
    expect(all).toEqual([
      'request.no_endpoint',
      'request.method',
      'body.empty',
      'signature.repeated',
      'signature.upper_case',
    ])
  })

  it('reports expected and actual value', () => {
    expect(requestFindings({ ...right, method: 'GET' })[0]).toMatchObject({
      code: 'request.method',
      location: 'request',
      expected: 'POST',
      actual: 'GET',
    })
    expect(requestFindings({ ...right, signatures: 3 })[0]).toMatchObject({
      location: 'header.x-acme-signature',
      expected: '1',
      actual: '3',
    })
  })
})
