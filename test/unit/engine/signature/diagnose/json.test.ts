import { describe, expect, it } from 'vitest'
import { sortedOrder } from '#engine/signature/diagnose/json/variants.ts'
import { tokenize, type JsonTokens } from '#engine/signature/diagnose/json/tokens.ts'
import { writeJson, type JsonStyle } from '#engine/signature/diagnose/json/variants.ts'
import { TimeBudget } from '#engine/signature/diagnose/time-budget.ts'

const read = (text: string) => tokenize(Buffer.from(text), new TimeBudget())

async function tokensOf(text: string): Promise<JsonTokens> {
  const tokens = await read(text)
  if ('fault' in tokens) throw new Error(`${tokens.fault}: ${text.slice(0, 80)}`)
  return tokens
}

async function written(text: string, style: Partial<JsonStyle>): Promise<string> {
  const full = { layout: 'original', strings: 'original', numbers: 'original', ...style } as const
  const pieces = [...copies(writeJson(await tokensOf(text), full))]
  return Buffer.concat(pieces).toString()
}

/** A piece is valid only until the next one is requested. */
function* copies(pieces: Iterable<Uint8Array>): Iterable<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

const texts = [
  '{}',
  '[]',
  '""',
  '0',
  'true',
  ' [ ] ',
  '{"a":{},"b":[],"c":[{}],"d":[[],[1]]}',
  '{"é":"\\u00e9\\n\\"\\\\/","x":[1,2.5,-3e2,null,false],"y":{"z":"🗝"}}',
  '[{"a":1},{"b":[2,{"c":"d"}]}]',
  `{"long":"${'Café/<&>'.repeat(20_000)}","escaped":"\\u00e9\\u00e9${'\\ud83d\\udddd\\u00e9'.repeat(9000)}"}`,
]

const closers = async (text: string): Promise<unknown> => {
  const found = await read(text)
  return 'fault' in found && found.fault === 'open' ? found.closers : null
}

const sorted = async (text: string): Promise<string | null> => {
  const tokens = await tokensOf(text)
  const order = await sortedOrder(tokens, new TimeBudget())
  if (!order) return null
  const style = { layout: 'compact', strings: 'original', numbers: 'original' } as const
  const part = { order, from: 0, to: tokens.count }
  return Buffer.concat([...copies(writeJson(tokens, style, part))]).toString()
}

describe('writing', () => {
  it.each(texts.map((text) => [text.slice(0, 60), text] as const))('%s', async (_, text) => {
    const value: unknown = JSON.parse(text)
    const plain = { strings: 'plain', numbers: 'shortest' } as const
    expect(await written(text, { layout: 'compact', ...plain })).toBe(JSON.stringify(value))
    for (const indent of ['  ', '\t']) {
      const expected = JSON.stringify(value, null, indent)
      expect(await written(text, { layout: { indent }, ...plain })).toBe(expected)
    }
    expect(await written(text, {})).toBe(text.trim())
    for (const strings of ['ascii', 'slashes', 'php', 'html', 'dotnet'] as const) {
      expect(JSON.parse(await written(text, { layout: 'spaced', strings }))).toEqual(value)
    }
  })

  it('escapes non-ASCII characters as surrogate pairs, also where a long string is split', async () => {
    const long = await written(texts.at(-1) ?? '', { layout: 'compact', strings: 'ascii' })
    expect(long).not.toMatch(/[\u0080-\uffff]/)
    expect(long).toContain('\\ud83d\\udddd\\u00e9')
    expect(await written('"🗝"', { strings: 'ascii' })).toBe('"\\ud83d\\udddd"')
    expect(await written('"é"', { strings: 'dotnet' })).toBe('"\\u00E9"')
  })

  it('writes numbers as other languages do', async () => {
    const numbers = '[1.0,42.50,1e3,1E21,-0.10,12345678901234567890,7]'
    expect(await written(numbers, { numbers: 'shortest' })).toBe(
      '[1,42.5,1000,1e+21,-0.1,12345678901234567890,7]',
    )
    expect(await written(numbers, { numbers: 'float' })).toBe(
      '[1.0,42.5,1000.0,1e+21,-0.1,12345678901234567890,7]',
    )
  })
})

describe('reading', () => {
  it.each([
    '',
    ' ',
    '{',
    '{"a"',
    '{"a":1,',
    'nul',
    '01',
    '[1,]',
    '{"a":}',
    '[1 2]',
    '}',
    '[}',
    '1 2',
    "{'a':1}",
    '{1:2}',
    '\ufeff{}',
  ])('does not accept %j as JSON', async (text) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(await read(text)).toHaveProperty('fault')
  })

  it('reports the completion of a truncated text', async () => {
    expect(await closers('{"a":[{"b":"c"')).toBe('}]}')
    expect(await closers('{"a":"b')).toBe('"}')
    expect(await closers('{"a":[1')).toBe(']}')
  })

  it('accepts 100,000 levels, and refuses too many values', async () => {
    const deep = await tokensOf('['.repeat(100_000) + ']'.repeat(100_000))
    expect(deep.count).toBe(200_000)
    await sortedOrder(deep, new TimeBudget())
    expect(await read(`[${'1,'.repeat(2_000_000)}1]`)).toEqual({ fault: 'too_large' })
  })
})

describe('sorting', () => {
  it('sorts by code points, at every level', async () => {
    expect(await sorted('{"b":{"d":1,"c":[{"z":1,"y":2}]},"a":[]}')).toBe(
      '{"a":[],"b":{"c":[{"y":2,"z":1}],"d":1}}',
    )
    expect(await sorted('{"🗝":1,"\uffee":2,"Z":3,"a":4}')).toBe('{"Z":3,"a":4,"\uffee":2,"🗝":1}')
    expect(await sorted('{"\\u0062":1,"a":2}')).toBe('{"a":2,"\\u0062":1}')
  })

  it('reports when they are already sorted', async () => {
    expect(await sorted('{"a":{"b":1,"c":2},"d":[{"e":1}]}')).toBeNull()
  })
})
