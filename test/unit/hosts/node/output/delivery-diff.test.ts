import { describe, expect, it, vi } from 'vitest'
import { cliLines } from '#contract/cli-output.ts'
import { diffDeliveries, diffText } from '#hosts/node/output/delivery-diff.ts'
import type * as Output from '#hosts/node/output/output.ts'

// The terminal that runs the tests must not add colors.
vi.mock('#hosts/node/output/output.ts', async (original) => ({
  ...(await original<typeof Output>()),
  colored: (_: unknown, text: string) => text,
}))

type Headers = [string, string][]

function diff(before: string | Uint8Array, after: string | Uint8Array, headers: Headers[] = []) {
  const [a = [], b = []] = headers
  const found = diffDeliveries(
    { delivery: { id: 1, headers: a }, body: Buffer.from(before) },
    { delivery: { id: 2, headers: b }, body: Buffer.from(after) },
  )
  expect(cliLines.diff.parse(found)).toEqual(found)
  return found
}

/** `path change before after` of each value that differs. */
const values = (before: string, after: string): string[] =>
  diff(before, after).body.values.map((each) =>
    [each.path, each.change, each.before ?? '∅', each.after ?? '∅'].join(' '),
  )

const nested = (depth: number, inner: string): string =>
  `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

describe('bodies', () => {
  it('are equal only if all bytes are', () => {
    expect(diff('{"a":1}', '{"a":1}')).toMatchObject({
      equal: true,
      body: { equal: true, as: 'json', firstDifference: null, values: [], lines: [] },
    })
    expect(diff('{"a":1}', '{"a": 1}')).toMatchObject({
      equal: false,
      body: {
        as: 'json',
        firstDifference: 5,
        values: [],
        lines: [
          { change: 'removed', text: '{"a":1}' },
          { change: 'added', text: '{"a": 1}' },
        ],
      },
    })
  })

  it.each([
    ['{"a":{"b":1,"c":2}}', '{"a":{"c":2,"b":3}}', ['a.b changed 1 3']],
    [
      '{"a":1,"b":{}}',
      '{"b":[],"c d":null}',
      ['a removed 1 ∅', 'b changed {} []', '["c d"] added ∅ null'],
    ],
    ['{"p":1.0,"q":"\\u0041"}', '{"q":"A","p":1}', []],
    [
      '[12345678901234567890]',
      '[12345678901234567891]',
      ['[0] changed 12345678901234567890 12345678901234567891'],
    ],
    ['null', '{"a":1}', [' changed null {"a":1}']],
    ['{"__proto__":1}', '{"__proto__":2}', ['__proto__ changed 1 2']],
  ] as const)('as JSON: %s and %s', (before, after, expected) => {
    expect(values(before, after)).toEqual(expected)
  })

  it.each([
    ['[1,2,3]', '[0,1,2,3]', ['[0] added ∅ 0']],
    ['[1,2,3]', '[1,3]', ['[1] removed 2 ∅']],
    [
      '[{"id":1,"n":1},{"id":2}]',
      '[{"id":1,"n":2},{"id":2},{"id":3}]',
      ['[0].n changed 1 2', '[2] added ∅ {"id":3}'],
    ],
    ['[1,2]', '[3,4]', ['[0] changed 1 3', '[1] changed 2 4']],
    ['[]', '[1]', ['[0] added ∅ 1']],
  ] as const)('arrays are aligned: %s and %s', (before, after, expected) => {
    expect(values(before, after)).toEqual(expected)
  })

  it('compares text by lines, and binary data by bytes', () => {
    expect(diff('a\nb\nc\n', 'a\nB\nc\n').body).toMatchObject({
      as: 'text',
      lines: [
        { change: 'removed', text: 'b' },
        { change: 'added', text: 'B' },
      ],
    })
    const binary = diff(Uint8Array.of(0xff, 1, 2), Uint8Array.of(0xff, 1)).body
    expect(binary).toMatchObject({ as: 'bytes', bytes: [3, 2], firstDifference: 2, lines: [] })
  })

  it('compares bodies that are nested too deeply or too large', () => {
    // At some depth in between, it can be parsed but not compared.
    for (let depth = 1500; depth <= 2500; depth += 250) {
      const { as, equal, values, lines } = diff(nested(depth, '1'), nested(depth, '2')).body
      expect({ equal, changes: as === 'json' ? values.length : lines.length / 2 }).toEqual({
        equal: false,
        changes: 1,
      })
    }
    const deepest = diff(nested(100_000, '1'), nested(100_000, '2')).body
    expect(deepest).toMatchObject({ as: 'text', equal: false })
    const large = 'x'.repeat(6 * 1024 * 1024)
    expect(diff(large, `${large}y`).body).toMatchObject({
      as: 'bytes',
      firstDifference: large.length,
    })
  })
})

it('compares headers by case-insensitive name, with all values', () => {
  const before: Headers = [
    ['Host', 'a'],
    ['X-A', '1'],
    ['X-A', '2'],
    ['Old', 'o'],
  ]
  const after: Headers = [
    ['host', 'a'],
    ['x-a', '2'],
    ['x-a', '1'],
    ['New', 'n'],
  ]
  expect(diff('', '', [before, after]).headers).toEqual([
    { name: 'X-A', change: 'changed', before: ['1', '2'], after: ['2', '1'] },
    { name: 'Old', change: 'removed', before: ['o'], after: null },
    { name: 'New', change: 'added', before: null, after: ['n'] },
  ])
})

describe('as text', () => {
  it('shows each difference on a line, with control characters escaped', () => {
    const evil = '\u001b[2J\nFORGED'
    const found = diff(JSON.stringify({ [evil]: evil, a: 1 }), '{"a":2}', [[['X', evil]], []])
    expect(diffText(found).split('\n')).toEqual([
      'Headers of 1 and 2',
      String.raw`  - X: \u001b[2J\nFORGED`,
      '',
      'Body of 1 and 2',
      String.raw`  - ["\u001b[2J\nFORGED"]: "\u001b[2J\nFORGED"`,
      '  ~ a: 1 → 2',
    ])
  })

  it('reports how bodies without common lines or values differ', () => {
    expect(diffText(diff('x', 'x'))).toBe('Deliveries 1 and 2 are equal.')
    expect(diffText(diff('{}', '{ }'))).toContain('Equivalent JSON with different formatting')
    const binary = diffText(diff(Uint8Array.of(0xff, 0), Uint8Array.of(0xfe, 0, 0)))
    expect(binary).toContain('  2 B and 3 B, different from byte 0 on')
    expect(binary).toContain('  equal')
  })
})
