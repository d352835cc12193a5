import { describe, expect, it } from 'vitest'
import { finish } from '#renderer/features/body/in-slices.ts'
import type { JsonIndex } from '#renderer/features/body/json-index.ts'
import { jsonIndex, sourceOf } from '#renderer/features/body/json-index.ts'
import { longestIncreasing } from '#renderer/features/diff/array-match.ts'
import type { DiffRow, JsonDiff } from '#renderer/features/diff/json-diff.ts'
import { diffJson } from '#renderer/features/diff/json-diff.ts'
import { childrenOf, decodedKey, plainNumber } from '#renderer/features/diff/same-value.ts'
import type { Json } from '#test/support/random-json.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

const read = (text: string) => finish(jsonIndex(text))
const diff = (before: unknown, after: unknown) =>
  diffJson(read(JSON.stringify(before)), read(JSON.stringify(after)))
const diffText = (before: string, after: string) => diffJson(read(before), read(after))
const numbers = (n: number, by: number) => Array.from({ length: n }, (_, at) => at * by)
const deep = (inner: string) => `${'['.repeat(30_000)}${inner}${']'.repeat(30_000)}`
const lines = ({ rows }: JsonDiff) =>
  rows
    .filter(({ kind }) => kind !== 'open')
    .map(({ kind, path, before, after, count }) =>
      kind === 'same' ? `${path}: ${count} same` : `${path}: ${kind} ${before} ${after}`,
    )

/** JSON with its keys in order, so that equal texts are equal values. */
function plain(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${plain(field)}`,
  )
  return `{${fields.toSorted().join()}}`
}

function parsed(json: JsonIndex, index: number): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives is JSON
  return JSON.parse(sourceOf(json, index)) as Json
}

/** Applies the rows of a difference to the earlier document. Rows of nested values follow their parent. */
function applied(before: JsonIndex, after: JsonIndex, rows: readonly DiffRow[]): Json {
  const [first] = rows
  if (!first) throw new Error('no rows')
  const [old, fresh] = first.indexes
  if (first.kind === 'same') return parsed(before, old)
  if (first.kind !== 'open') return parsed(after, fresh)
  const depth = first.depth + 1
  const inner: DiffRow[][] = []
  for (const row of rows.slice(1)) {
    if (row.depth === depth) inner.push([row])
    else inner.at(-1)?.push(row)
  }
  if (sourceOf(before, old, 1) === '[') {
    const elements = childrenOf(before, old)
    return inner.flatMap((part): Json[] => {
      const [row] = part
      if (!row || row.kind === 'removed') return []
      if (row.kind === 'moved') return [parsed(before, row.indexes[0])]
      if (row.kind !== 'same') return [applied(before, after, part)]
      const from = elements.indexOf(row.indexes[0])
      return elements.slice(from, from + row.count).map((index) => parsed(before, index))
    })
  }
  const fields = new Map(
    childrenOf(before, old).map((child) => [decodedKey(before, child), parsed(before, child)]),
  )
  for (const part of inner) {
    const [row] = part
    if (!row || row.kind === 'same' || row.key === null) continue
    if (row.kind === 'removed') fields.delete(String(row.key))
    else fields.set(String(row.key), applied(before, after, part))
  }
  return Object.fromEntries(fields)
}

/** A value with a few changes. */
function touched(value: Json, random: () => number): Json {
  if (random() < 0.12) return randomJson(random, 2)
  if (Array.isArray(value)) {
    const list = value.map((part) => touched(part, random))
    if (list.length > 1 && random() < 0.3) list.push(...list.splice(0, 1))
    if (random() < 0.2) list.splice(Math.floor(random() * list.length), 1)
    return list
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => random() > 0.1)
      .map(([key, field]) => [key, touched(field, random)]),
  )
}

describe('two JSON documents', () => {
  it('differ by path: added, removed, changed, type changed', () => {
    const before = { type: 'X', data: { total: 42.5, gone: [1, 2], flag: true, n: 1, same: 0 } }
    const after = { type: 'X', data: { total: 45, flag: false, n: '1', same: 0, tip: 'auto' } }
    expect(lines(diff(before, after))).toEqual([
      'data.total: changed 42.5 45',
      'data.gone: removed [1,2] null',
      'data.flag: changed true false',
      'data.n: retyped 1 "1"',
      'data.tip: added null "auto"',
      'data: 1 same',
      ': 1 same',
    ])
    expect(lines(diff({ a: null }, { a: false }))).toEqual(['a: retyped null false'])
    expect(lines(diff([1], { a: 1 }))).toEqual([': retyped [1] {"a":1}'])
  })

  it('are equal regardless of key order, white space, escapes and number format', () => {
    const before = '{"a":1.0,"b":"\\u00e9","c":[1e2,-0,12345678901234567890]}'
    const after = '{ "c": [100, 0.0, 12345678901234567890.0], "b": "é", "a": 1 }'
    expect(diffText(before, after)).toMatchObject({ equal: true })
    // Digits beyond floating-point precision still count.
    expect(diffText('[12345678901234567890]', '[12345678901234567891]').equal).toBe(false)
    expect(diffText('{"a":1,"a":2}', '{"a":2,"a":1}').equal).toBe(false)
    expect(diffText('{"a":1,"a":2}', '{"a":2}').equal).toBe(false)
    expect(diffText('"1"', '1').equal).toBe(false)
  })

  it('report elements added, removed and moved in an array', () => {
    expect(lines(diff([1, 2, 3, 4], [1, 3, 4, 5]))).toEqual([
      ': 1 same',
      '[1]: removed 2 null',
      ': 2 same',
      '[3]: added null 5',
    ])
    const moved = diff(['Ale', 'Fries', 'Stout'], ['Stout', 'Ale', 'Fries'])
    expect(lines(moved)).toEqual(['[0]: moved "Stout" "Stout"', ': 2 same'])
    expect(moved.rows[1]).toMatchObject({ from: 2, key: 0 })
    expect(lines(diff([{ n: 1 }, 'x'], [{ n: 2 }, 'x']))).toEqual([
      '[0].n: changed 1 2',
      ': 1 same',
    ])
  })

  it('match objects by their ID', () => {
    const before = {
      items: [
        { itemUuid: 'a', n: 1 },
        { itemUuid: 'b', n: 1 },
        { itemUuid: 'c', n: 1 },
      ],
    }
    const after = {
      items: [
        { itemUuid: 'c', n: 1 },
        { itemUuid: 'a', n: 2 },
        { itemUuid: 'd', n: 1 },
      ],
    }
    const found = diff(before, after)
    expect(lines(found)).toEqual([
      'items[0]: moved {"itemUuid":"c","n":1} {"itemUuid":"c","n":1}',
      'items[1].n: changed 1 2',
      'items[1]: 1 same',
      'items[2]: added null {"itemUuid":"d","n":1}',
      'items[1]: removed {"itemUuid":"b","n":1} null',
    ])
    expect(found.counts).toMatchObject({ moved: 1, changed: 1, added: 1, removed: 1 })
  })

  it('produce a difference that transforms one into the other, in both directions, and none if equal', () => {
    const random = seeded(23)
    let differing = 0
    for (let turn = 0; turn < 1500; turn++) {
      const before = randomJson(random)
      const after = touched(before, random)
      const [a, b] = [read(JSON.stringify(before)), read(JSON.stringify(after, null, 1))]
      const there = diffJson(a, b)
      const back = diffJson(b, a)
      const text = `${JSON.stringify(before)} to ${JSON.stringify(after)}`
      expect(plain(applied(a, b, there.rows)), text).toBe(plain(after))
      expect(plain(applied(b, a, back.rows)), text).toBe(plain(before))
      const equal = plain(before) === plain(after)
      expect(there.equal, text).toBe(equal)
      expect(back.equal, text).toBe(equal)
      if (!equal) differing += 1
    }
    expect(differing).toBeGreaterThan(300)
  })

  it('may be large, deep or unrelated, and the comparison still ends', () => {
    const apart = diff(
      numbers(20_000, 2),
      numbers(20_000, -3).map((n) => n - 1),
    )
    expect(apart.counts.changed).toBe(20_000)
    expect(apart.rows.length).toBe(5000)
    expect(diffText(deep('1'), deep('1')).equal).toBe(true)
    expect(diffText(deep('1'), deep('2'))).toMatchObject({ equal: false, counts: { changed: 1 } })
  })
})

describe('numbers', () => {
  it('are equal only if their values are equal', () => {
    for (const same of [
      ['1', '1.0', '10e-1', '0.1E+1'],
      ['0', '-0', '0.00e7'],
      ['-1.50', '-15e-1'],
      ['1e400', '10e399'],
    ]) {
      expect(new Set(same.map(plainNumber)).size, same.join()).toBe(1)
    }
    const all = ['1', '-1', '10', '0.1', '11', '1e400', '1e401', '0', '100000000000000000001']
    expect(new Set(all.map(plainNumber)).size).toBe(all.length)
  })
})

it('the longest increasing subsequence is in order, and none is longer', () => {
  expect(longestIncreasing([2, 0, 1])).toEqual([0, 1])
  expect(longestIncreasing([])).toEqual([])
  expect(longestIncreasing([3, 2, 1]).length).toBe(1)
  expect(longestIncreasing([0, 8, 4, 12, 2, 10, 6, 14, 1, 9]).length).toBe(4)
})
