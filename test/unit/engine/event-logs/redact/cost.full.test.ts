import { describe, expect, it, vi } from 'vitest'
import { growth, linearGrowth } from '#test/support/growth.ts'
import {
  exported,
  plainly,
  redactDelivery,
  redactedBody,
  redactedText,
  redactorWith,
} from '#test/support/redacting.ts'

const megabytes = 1024 * 1024

/** Repeats a piece up to this many characters. */
function filled(piece: string, size: number): string {
  return piece.repeat(Math.ceil(size / piece.length))
}

/** Name, repeated piece, and the text before and after it. */
const attacks: readonly [what: string, piece: string, before?: string, behind?: string][] = [
  ['white space before a header line', ' \n', 'cookie: a\n'],
  ['white space in one line', '\t ', 'cookie: a\n', ':'],
  ['names of form parts', 'name="aa"', 'form-data; '],
  ['form parts without an empty line', '\nname="token"\nx: y', 'form-data; '],
  ['form parts without an end', 'name="token"\r\n\r\n1', 'form-data; '],
  ['beginnings of tokens', 'eyJaaaaaaaa-'],
  ['tokens without an end', 'eyJaaaaaaaa.'],
  ['beginnings of pseudonyms', 'redacted-token-'],
  ['pseudonyms of many words', 'a-', 'redacted-', '!'],
  ['beginnings of markers', '«a'],
  ['quotes and backslashes', '"\\'],
  ['backslashes', '\\', '{"a":"', '"}'],
  ['quotes and colons', '"a":"'],
  ['members that go', '{"token":"aaaaaaaa1"},', '[', '0]'],
  ['members in a text that is no JSON', ' "token":"aaaaaaaa1"', 'x'],
  ['members whose value breaks off', ' \\"token\\":\\"aaaaaaaa1', 'x'],
  ['white space behind keys', '"aaaa"   ', 'x:'],
  ['queries', 'token=aaaaaaaa1&', '?'],
  ['queries without an end', 'a=a=', '?', '"'],
  ['quoted queries', 'a="b='],
  ['schemes', 'Bearer\t', 'bearer '],
  ['user names in addresses', 'a://a', '', '!'],
  ['elements', '<aa b', 'x='],
  ['elements with values', '<token>aaaaaaaa1</token>', 'x='],
  ['words before colons', 'aaa:'],
  ['at signs', '@'],
  ['local parts', 'a.', '', '@'],
  ['domains', 'a.', 'a@', '1'],
  ['addresses', 'anna@example.com '],
  ['quoted local parts', '"@'],
  ['digits', '1'],
  ['digits with gaps', '1 ', '+'],
  ['phone numbers', '+49 30 1234567, '],
  ['numbers that begin like dates', '2026-'],
  ['hexadecimal digits', 'a1'],
  ['known phone numbers', '4930 1234567 '],
  ['Base64', 'YW5uYUBleGFtcGxlLmNvbQ'],
  ['Base64 in lines', 'YW5uYUBleGFtcGxlLmNvbQ\n'],
  ['words that may be Base64', 'aaaaaaaaaaaa-'],
  ['percent signs', '%41'],
  ['percent signs of percent signs', '%252525252525252541+'],
  ['escapes of escapes', '\\\\\\\\u0041 '],
  ['entities', '&amp;amp;'],
  ['plus signs', 'a+'],
  ['zeros', 'a\0'],
  ['brackets', '['],
  ['objects', '{"a":'],
  ['JSON in JSON', '"{\\"a\\":1}",', '[', '0]'],
  ['known secrets', 'kept-secret-of-mine '],
  ['beginnings of known secrets', 'kept-secret-of-'],
  ['handles of guests', 'guest-name '],
]

const known = {
  known: [{ kind: 'secret', value: 'kept-secret-of-mine' }],
  handles: ['guest-name', '+49301234567'],
} as const

const repeatedSecret = (size: number) => (): unknown =>
  redactedBody(`{"token":"${'a'.repeat(8000)}","b":"${filled('a', size)}"}`)

describe('the redaction takes time in proportion to a text of', { timeout: 60_000 }, () => {
  it.each(attacks)('%s', (_what, piece, before = '', behind = '') => {
    const body = (size: number) => (): unknown => {
      const text = before + filled(piece, size) + behind
      return [redactedBody(text, known), redactedText(text, known)]
    }
    expect(growth(body, 4 * 1024)).toBeLessThan(linearGrowth)
  })

  it('values that must not be repeated', () => {
    expect(growth(repeatedSecret, 8 * 1024)).toBeLessThan(linearGrowth)
  })
})

describe('a very large text', { timeout: 60_000 }, () => {
  it.each([
    ['a JSON string', `{"a":"${'x'.repeat(12 * megabytes)}","email":"anna@example.com"}`],
    [
      'a JSON string of escapes',
      `{"a":"${'\\n'.repeat(6 * megabytes)}","email":"anna@example.com"}`,
    ],
    ['a JSON string in another text', `x: {"a":"${'x'.repeat(12 * megabytes)}"} anna@example.com`],
    ['lines of Base64', `${'YW5uYS5\n'.repeat(megabytes / 2)}YWFhYWFhYWFhYWFh anna@example.com`],
    ['a domain', `a@${'a.'.repeat(4 * megabytes)}com anna@example.com`],
    ['digits', `${'1'.repeat(8 * megabytes)} anna@example.com`],
    ['a form without values', `form-data name=aa${'\na'.repeat(4 * megabytes)} anna@example.com`],
    ['addresses', `x@y.com ${'anna@example.com '.repeat(150_000)}`],
    ['words', `${'a-'.repeat(4 * megabytes)}a anna@example.com`],
  ])('with %s is redacted like any other', (_what, text) => {
    const redacted = redactedBody(text, known)
    expect(redacted.length).toBeGreaterThan(megabytes)
    expect(redacted.includes('anna@example.com')).toBe(false)
    expect(redacted.slice(-80)).toMatch(/redacted-email-/)
  })

  it('of nested escapes is left out, and the export continues', () => {
    const redactor = redactorWith()
    const text = filled('%252525252525252541+\0', megabytes / 4)
    const left = redactDelivery(redactor, exported({ body: text, fields: { note: text } }))
    expect(left.body).toHaveLength(0)
    expect(left.omitted).toBe(
      'The body cannot be redacted: it is written in too many escapes within escapes.',
    )
    expect(plainly(left.fields.note)).toBe('‹unreadable›')
    expect(redactor.removed()).toMatchObject({ unreadable: 2 })
    expect(plainly(redactedBody('{"email":"anna@example.com"}'))).toBe('{"email":"‹email›"}')
  })
})

describe('a body that makes the redaction fail', () => {
  it('is left out, and the export continues', () => {
    const redactor = redactorWith()
    const failing = vi.spyOn(String.prototype, 'search').mockImplementation(() => {
      throw new RangeError('Maximum call stack size exceeded')
    })
    const left = redactDelivery(
      redactor,
      exported({ body: '{"email":"anna@example.com"}', fields: { type: null } }),
    )
    failing.mockRestore()
    expect(left.body).toHaveLength(0)
    expect(left.omitted).toBe('The body cannot be redacted: it cannot be processed.')
    const next = redactDelivery(redactor, exported({ body: '{"email":"anna@example.com"}' }))
    expect(plainly(Buffer.from(next.body).toString())).toBe('{"email":"‹email›"}')
  })
})
