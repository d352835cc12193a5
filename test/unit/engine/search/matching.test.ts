import { describe, expect, it } from 'vitest'
import { bodyTest, headerTest, wildcard } from '#engine/search/matching.ts'
import { readJson } from '#engine/payload/parse-body.ts'
import { full } from '#test/support/full.ts'
import { growth, linearGrowth } from '#test/support/growth.ts'

const like = (pattern: string, text: string) => wildcard(pattern.split('*'))(text)

describe('a wildcard', () => {
  it.each([
    ['a*', 'a', true],
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['a*c', 'ac', true],
    ['ab*bc', 'abc', false],
    ['a*b*a', 'aba', true],
    ['*', '', true],
    ['a?[b]*', 'a?[b]c', true],
    ['a?*', 'abc', false],
    ['*bb*b*', 'abbab', true],
    ['*bb*bb*', 'abbb', false],
  ])('%s and %s', (pattern, text, expected) => expect(like(pattern, text)).toBe(expected))

  it.runIf(full)('takes time in proportion to the text, for a malicious pattern too', () => {
    const matches = wildcard(`${'*a'.repeat(2000)}*b`.split('*'))
    const factor = growth((size) => {
      const text = 'a'.repeat(size)
      return () => matches(text)
    }, 100_000)
    expect(factor).toBeLessThan(linearGrowth)
  })
})

const bare = (text: string) => ({ text, quoted: false })

const test = (body: string, path: string[], text: string, quoted = false) =>
  bodyTest({ path, comparison: '=', values: [{ text, quoted }] })(readJson(Buffer.from(body)))

describe('a test of a body', () => {
  it('reads nested arrays, and uses the last of two equal keys', () => {
    expect(test('{"a":[[{"b":[1,[2]]}]]}', ['a', 'b'], '2')).toBe(true)
    expect(test('{"a":1,"a":2}', ['a'], '1')).toBe(false)
    expect(test(`{"a":${'['.repeat(200_000)}7${']'.repeat(200_000)}}`, ['a'], '7')).toBe(true)
  })

  it('finds own keys of objects, and no inherited ones', () => {
    expect(test('{"__proto__":5}', ['__proto__'], '5')).toBe(true)
    expect(test('{}', ['constructor', 'name'], 'Object')).toBe(false)
    expect(test('{}', ['toString'], '*')).toBe(false)
    expect(test('"text"', ['length'], '4')).toBe(false)
    expect(test('[{"a":1}]', ['a'], '1')).toBe(true)
  })

  it('distinguishes numbers from text, and null from a missing value', () => {
    expect(test('{"a":"200"}', ['a'], '200')).toBe(false)
    expect(test('{"a":"200"}', ['a'], '200', true)).toBe(true)
    expect(test('{"a":200}', ['a'], '200', true)).toBe(false)
    expect(test('{"a":2e2}', ['a'], '200')).toBe(true)
    expect(test('{"a":null}', ['a'], '*')).toBe(true)
    expect(test('{"a":[]}', ['a'], '*')).toBe(true)
    expect(test('{}', ['a'], 'null')).toBe(false)
    expect(test('{"a":"null"}', ['a'], 'null')).toBe(false)
  })

  it('finds nothing in bodies that are not JSON', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('{"a":1'), Buffer.from([0x22, 0xff, 0x22])]) {
      expect(readJson(bytes)).toBeUndefined()
      expect(bodyTest({ path: ['a'], comparison: '=', values: [bare('*')] })(readJson(bytes))).toBe(
        false,
      )
    }
  })
})

describe('a test of headers', () => {
  const headers = 'Host\na\nX-Id\n\nX-ID\nb,c\nX-Name\nZo\u00c3\u00ab'
  const test = (name: string, ...texts: string[]) =>
    headerTest({ name, values: texts.map(bare) })(headers)

  it('matches names case-insensitively, and each of several values', () => {
    expect(test('x-id')).toBe(true)
    expect(test('x-id', 'b,c')).toBe(true)
    expect(test('x-id', 'b')).toBe(false)
    expect(test('x-id', 'z', 'b*')).toBe(true)
    expect(test('a')).toBe(false)
    expect(test('id')).toBe(false)
  })

  it('matches text by its received bytes', () => {
    expect(test('x-name', 'Zoë')).toBe(true)
    expect(test('x-name', 'Zo\u00c3\u00ab')).toBe(true)
    expect(test('x-name', 'Zo\u00eb2')).toBe(false)
  })
})
