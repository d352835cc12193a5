import { describe, expect, test } from 'vitest'
import { collectIds, replaceIds, rewriteBody } from '#engine/sending/jobs/rewrite.ts'

const shift = (time: number): number => time + 3_600_000

/** The body with new IDs and times an hour later. */
function rewritten(body: string | Buffer, type = 'ORDER_PLACED', seed = 1): string {
  const bytes = Buffer.from(body)
  const found = new Set<string>()
  collectIds(bytes, type, found)
  return Buffer.from(rewriteBody(bytes, type, { ids: replaceIds(found, seed), shift })).toString(
    'latin1',
  )
}

test('everything but IDs and times stays, byte for byte', () => {
  const body = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from(
      '{ "type" :"ORDER_PLACED",\r\n\t"target\\u0055uid":"a1", "n": 1.50e+2, "x":"\\u00fc \\/ ü",\n"data":{"total":42.50,"tabUuid":"B-2" , "list":["a1",{"tabUuid":"a1"}]},"createdAt":"2026-03-14T21:00:00Z"}\n',
    ),
  ])
  const [, order, tab] =
    /"target\\u0055uid":"([a-z]\d)".*"tabUuid":"([A-Z]-\d)"/s.exec(rewritten(body)) ?? []
  expect([order, tab]).not.toEqual(['a1', 'B-2'])
  const expected = body
    .toString('latin1')
    .replace('uid":"a1"', `uid":"${order}"`)
    // An undocumented field has the same ID; a text in a list is no ID.
    .replace('{"tabUuid":"a1"}', `{"tabUuid":"${order}"}`)
    .replace('B-2', tab ?? '')
    .replace('T21:', 'T22:')
  expect(rewritten(body)).toBe(expected)
})

const replaced = (ids: readonly string[], seed = 1) => [...replaceIds(new Set(ids), seed).values()]

describe('new IDs', () => {
  test('have the form of the old ones, and depend on the seed only', () => {
    const ids = ['8C6F1D2E-0b1a-4c3d-9e8f-001122334455', '5001', '0042', 'Tab_ü-7x']
    const [uuid, digits, padded, other] = replaced(ids)
    expect(uuid).toMatch(/^[\dA-F]{8}-[\da-f]{4}-4[\da-f]{3}-9[\da-f]{3}-\d{12}$/)
    expect(digits).toMatch(/^[1-9]\d{3}$/)
    expect(padded).toMatch(/^\d{4}$/)
    expect(other).toMatch(/^[A-Z][a-z]{2}_ü-\d[a-z]$/)
    expect(replaced(ids)).toEqual([uuid, digits, padded, other])
    expect(replaced(ids, 2)).not.toEqual([uuid, digits, padded, other])
  })

  test('never coincide, even if nearly all of that form are in use', () => {
    const ids = Array.from({ length: 800 }, (_, index) => String(100 + index))
    expect(new Set(replaced(ids)).size).toBe(800)
  })
})

/** `createdAt`, rewritten. */
const at = (time: string): string =>
  /"createdAt":("[^"]*")/.exec(rewritten(`{"createdAt":"${time}"}`))?.[1] ?? ''

test('times keep their decimals and their offset; what is no time stays', () => {
  expect(at('2026-03-14T23:30:00.5Z')).toBe('"2026-03-15T00:30:00.5Z"')
  expect(at('2026-03-14T23:30:00.123456+02:00')).toBe('"2026-03-15T00:30:00.123000+02:00"')
  expect(at('2026-03-14T23:30:00.123-05:30')).toBe('"2026-03-15T00:30:00.123-05:30"')
  for (const other of ['9999-12-31T23:30:00Z', '2026-13-14T23:30:00Z', 'yesterday', ''])
    expect(at(other)).toBe(`"${other}"`)
})

test('hostile bodies stay as they are', () => {
  const depth = 100_000
  const bodies = [
    `${'['.repeat(depth)}"a"${']'.repeat(depth)}`,
    `${'{"data":'.repeat(depth)}{"tabUuid":1}${'}'.repeat(depth)}`,
    '{"targetUuid":{"__proto__":["x"]},"createdAt":[null],"data":"tabUuid"}',
    `{"targetUuid":"${'a'.repeat(1_000_000)}"}`,
    '{"targetUuid":-1.5e300,"targetId":true,"data":{"tabUuid":""}}',
    '"targetUuid"',
  ]
  for (const body of bodies) expect(rewritten(body) === body).toBe(true)
  // Of duplicate keys, both are replaced: which one counts depends on the handler.
  const duplicate = '{"data":{"tabUuid":"a1","tabUuid":"a1"}}'
  expect(rewritten(duplicate)).toMatch(/^\{"data":\{"tabUuid":"((?!a1)\w\d)","tabUuid":"\1"\}\}$/)
})
