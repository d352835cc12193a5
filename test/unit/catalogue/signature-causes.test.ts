import { describe, expect, it } from 'vitest'
import { causeNames, describeCause } from '#catalogue/signature-causes.ts'

const values = {
  endpoint: 'Bar',
  secrets: 'current',
  header: 'X-Service-Signature',
  others: 'X-Acme-Signature',
  arrival: 'too_large',
  sum: 'the HMAC-SHA256',
  message: 'the body as received',
  key: 'the current secret followed by a line break',
  encoding: 'encoded in hex',
}

describe.each(causeNames)('$code', ({ code }) => {
  // An event log may lack values, or have others.
  it.each([values, undefined, { arrival: 'cut_off' }])('has texts for %j', (given) => {
    const { title, sentence, fix } = describeCause({ code, ...(given && { values: given }) })
    for (const text of [title, sentence, fix]) expect(text).toMatch(/^\S.*\S$/)
    expect(title).not.toMatch(/\.$/)
    for (const text of [sentence, fix]) expect(text).toMatch(/\.$/)
    expect(sentence).not.toMatch(/undefined|null|NaN|[{}]|\$| {2}/)
  })
})

it('says how the received value was computed', () => {
  expect(describeCause({ code: 'secret.line_break', values }).sentence).toBe(
    'The value received in X-Service-Signature is the HMAC-SHA256 of the body as received with the current secret followed by a line break, encoded in hex.',
  )
})

it('has a text for a code that it does not know', () => {
  expect(describeCause({ code: 'toString' }).title).toBe('Unknown cause toString')
})
