import { describe, expect, it } from 'vitest'
import { jsonFault, JsonParser, jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

const pieces = [
  ['{', '}', '[', ']', ',', ':', '"', '"a"', '"k":', '\\', '\\"', '\\u12', ' ', '\n', '\t'],
  ['1', '-', '0', '.', 'e', '-1.5e3', 'true', 'nul', 'null', 'é', '🍺', '\ufeff', '\u00a0'],
].flat()

/** JSON texts, some of them damaged or truncated. */
function* texts(seed: number, count: number): Generator<string> {
  const random = seeded(seed)
  const below = (end: number): number => Math.floor(random() * end)
  for (let turn = 0; turn < count; turn += 1) {
    let text = JSON.stringify(randomJson(random, 5), null, below(3))
    for (let damage = below(4); damage > 1; damage -= 1) {
      const at = below(text.length + 1)
      text = text.slice(0, at) + (pieces[below(pieces.length)] ?? '') + text.slice(at + below(3))
    }
    yield below(6) === 0 ? text.slice(0, below(text.length)) : text
  }
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Rebuilds a text from its tokens, with the required commas and colons. */
function rejoined(text: string): string | null {
  const parser = new JsonParser(text, { strict: true })
  let written = ''
  for (let kind = parser.next(); kind !== jsonToken.end; kind = parser.next()) {
    if (kind === jsonToken.other) return null
    const closes = kind === jsonToken.objectClose || kind === jsonToken.arrayClose
    if (!closes && written !== '' && !/[[{:]$/.test(written)) written += ','
    written += parser.source + (kind === jsonToken.key ? ':' : '')
  }
  return written
}

function closers(text: string): string | null {
  const parser = new JsonParser(text)
  while (parser.next() <= jsonToken.literal);
  return parser.closers
}

describe('a parser', () => {
  it('accepts what JSON.parse accepts, and reads the same value', () => {
    let accepted = 0
    for (const text of texts(1, 6000)) {
      const expected = parsed(text)
      const found = rejoined(text)
      expect(found === null, text).toBe(expected === null)
      expect(jsonFault(text) === null, text).toBe(expected !== null)
      if (!expected || found === null) continue
      accepted += 1
      expect(JSON.stringify(JSON.parse(found))).toBe(JSON.stringify(expected.value))
    }
    expect(accepted).toBeGreaterThan(1000)
    expect(accepted).toBeLessThan(5000)
  })

  it('reports the first position at which no continuation can be valid JSON', () => {
    for (const text of texts(2, 4000)) {
      const fault = jsonFault(text)
      if (fault === null) continue
      // The text before the error is a prefix of valid JSON: complete it with closing characters, and a value if one is expected.
      const before = text.slice(0, fault)
      const ends = ['', '0', '"":0', ':0']
      const brackets = openBrackets(before)
      expect(
        ends.some((end) => parsed(before + end + brackets) !== null),
        JSON.stringify(text),
      ).toBe(true)
    }
  })

  it('returns the characters that complete a truncated text', () => {
    let ended = 0
    for (const text of texts(3, 4000)) {
      if (parsed(text) === null) continue
      const cut = text.slice(0, Math.floor(text.length / 2))
      const end = closers(cut)
      if (end === null) continue
      // A truncated escape stays invalid.
      const whole = cut + end
      if (/\\(u[\da-f]{0,3})?"[\]}]*$/.test(whole)) continue
      expect(parsed(whole), cut).not.toBeNull()
      ended += 1
    }
    expect(ended).toBeGreaterThan(100)
    expect(closers('{"a":["b')).toBe('"]}')
    expect(closers('{"a":[1')).toBe(']}')
    for (const text of ['{"a', '{"a":', '[1,', '[', '{', '[1}', '"a', '{} ', 'x'])
      expect(closers(text), text).toBeNull()
  })

  it('reads bytes as Latin-1 with byte offsets', () => {
    for (const text of texts(4, 1000)) {
      const bytes = Buffer.from(text)
      const [characters, latin1] = [new JsonParser(text), new JsonParser(bytes.toString('latin1'))]
      for (;;) {
        const kind = characters.next()
        expect(latin1.next()).toBe(kind)
        if (kind > jsonToken.literal) break
        expect(bytes.toString('utf8', latin1.from, latin1.to)).toBe(
          Buffer.from(characters.source).toString('utf8'),
        )
      }
    }
  })

  it('does not overflow the stack on deep nesting, long strings and long numbers', () => {
    const depth = 200_000
    expect(jsonFault('['.repeat(depth) + ']'.repeat(depth))).toBeNull()
    expect(jsonFault(`"${String.raw`a\n`.repeat(2_000_000)}"`)).toBeNull()
    expect(jsonFault('1'.repeat(2_000_000))).toBeNull()
  })
})

function openBrackets(text: string): string {
  const tokens = new JsonTokenizer(text)
  const open: string[] = []
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (kind === jsonToken.objectOpen) open.unshift('}')
    else if (kind === jsonToken.arrayOpen) open.unshift(']')
    else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) open.shift()
  }
  return open.join('')
}

const tokens = (text: string, options = {}): [number, string, boolean][] => {
  const found: [number, string, boolean][] = []
  const tokenizer = new JsonTokenizer(text, options)
  while (tokenizer.next() !== jsonToken.end)
    found.push([tokenizer.kind, tokenizer.source, tokenizer.closed])
  return found
}

describe('a tokenizer', () => {
  it('skips only white space, in any text', () => {
    for (const text of texts(5, 3000)) {
      const tokenizer = new JsonTokenizer(text)
      let end = 0
      while (tokenizer.next() !== jsonToken.end) {
        expect(text.slice(end, tokenizer.from)).toMatch(/^[ \n\r\t]*$/)
        expect(tokenizer.to).toBeGreaterThan(tokenizer.from)
        end = tokenizer.to
      }
      expect(text.slice(end)).toMatch(/^[ \n\r\t]*$/)
    }
  })

  it('accepts a truncated string, unless it is strict', () => {
    expect(tokens('"a\\"')).toEqual([[jsonToken.string, '"a\\"', false]])
    expect(tokens('"a\\\\"')).toEqual([[jsonToken.string, '"a\\\\"', true]])
    expect(tokens('"a\tb\\x"')).toEqual([[jsonToken.string, '"a\tb\\x"', true]])
    expect(tokens('"', { strict: true })).toEqual([[jsonToken.other, '"', true]])
    expect(tokens('"\t', { strict: true })[0]).toEqual([jsonToken.other, '"', true])
  })

  it('skips byte order marks if requested', () => {
    expect(tokens('\ufeff1')).toEqual([
      [jsonToken.other, '\ufeff', true],
      [jsonToken.literal, '1', true],
    ])
    expect(tokens('\ufeff1', { marks: true })).toEqual([[jsonToken.literal, '1', true]])
  })
})
