import { describe, expect, it } from 'vitest'
import {
  type JsonIndex,
  ancestors,
  jsonIndex,
  keyOf,
  kindOf,
  sourceOf,
  valuesMost,
} from '#parts/body/json-index.ts'
import { JsonTree, valuesWith } from '#parts/body/json-tree.ts'

const read = (text: string) => jsonIndex(text)
const scalar = (json: JsonIndex, index: number) =>
  (json.kinds[index] ?? 0) > 1 ? sourceOf(json, index) : ''
const indexes = (json: JsonIndex) => Array.from({ length: json.count }, (_, index) => index)
const drawn = (text: string) => {
  const json = read(text)
  return indexes(json).map((index) => [
    json.depths[index],
    keyOf(json, index),
    kindOf(json, index),
    scalar(json, index),
  ])
}

describe('nodes', () => {
  it('are in document order, each with its key and depth', () => {
    expect(drawn(' {"a": [1, {"b": null}, []],\n\t"": true, "c": "x"} ')).toEqual([
      [0, null, 'object', ''],
      [1, 'a', 'array', ''],
      [2, 0, 'number', '1'],
      [2, 1, 'object', ''],
      [3, 'b', 'word', 'null'],
      [2, 2, 'array', ''],
      [1, '', 'word', 'true'],
      [1, 'c', 'string', '"x"'],
    ])
    const json = read('{"a":[1,{"b":null}],"c":{}}')
    expect(json.complete).toBe(true)
    expect(indexes(json).map((at) => sourceOf(json, at))).toEqual([
      '{"a":[1,{"b":null}],"c":{}}',
      '[1,{"b":null}]',
      '1',
      '{"b":null}',
      'null',
      '{}',
    ])
    expect(indexes(json).map((at) => [json.ends[at], json.children[at]])).toEqual([
      [6, 2],
      [5, 2],
      [3, 0],
      [5, 1],
      [5, 0],
      [6, 0],
    ])
  })

  it('keep every digit of a number', () => {
    for (const number of ['12345678901234567890.10', '-0', '1E+400', '0.10', '1e-7']) {
      expect(drawn(`[${number}]`)[1]).toEqual([1, 0, 'number', number])
      expect(drawn(number)).toEqual([[0, null, 'number', number]])
    }
  })

  it('keep both of two equal keys', () => {
    expect(drawn('{"a":1,"a":2,"__proto__":3}').slice(1)).toEqual([
      [1, 'a', 'number', '1'],
      [1, 'a', 'number', '2'],
      [1, '__proto__', 'number', '3'],
    ])
  })

  it('keep escapes, and quotes and brackets in strings, as written', () => {
    const source = String.raw`"\"}]\\,\u00e9\ud83c\n:"`
    expect(drawn(`{${source}:${source}}`)[1]).toEqual([1, source.slice(1, -1), 'string', source])
  })

  it('can be nested 20,000 levels deep', () => {
    const depth = 20_000
    const json = read(`${'[{"a":'.repeat(depth / 2)}7${'}]'.repeat(depth / 2)}`)
    expect(json.complete).toBe(true)
    expect(json.count).toBe(depth + 1)
    expect(json.depths[depth]).toBe(depth)
    expect(sourceOf(json, depth)).toBe('7')
    expect(indexes(json).every((at) => json.ends[at] === depth + 1)).toBe(true)
    const above = ancestors(json, depth)
    expect(above.length).toBe(depth)
    expect(above.slice(0, 3)).toEqual([0, 1, 2])
    expect(new JsonTree(json).count).toBe(3)
  })

  it('read a string of a million characters', () => {
    const long = `"${String.raw`a\n`.repeat(330_000)}"`
    expect(drawn(`[${long}]`)[1]).toEqual([1, 0, 'string', long])
  })

  it('stop after two million, and report it', () => {
    const { count, ends, complete, fault } = read(`[${'0,'.repeat(valuesMost + 9)}0]`)
    expect(count).toBe(valuesMost)
    expect(ends[0]).toBe(valuesMost)
    expect(complete).toBe(false)
    expect(fault).toBeNull()
  })

  it.each([
    ['{"a": nope}', 6],
    ['["open', 1],
    ['["open"', 7],
    ['<xml/>', 0],
    ['[1 § 2]', 3],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['{"a"}', 4],
    ['{a:1}', 1],
    ['[1}', 2],
    ['[01]', 2],
    ['1 2', 2],
    [String.raw`"\u12g4"`, 0],
    ['"a\tb"', 0],
    ['\ufeff{}', 0],
    ['', 0],
    [']}]', 0],
  ])('report where %s is not JSON', (text, at) => {
    const json = read(text)
    expect(json.fault).toBe(at)
    for (const index of indexes(json)) expect(json.ends[index]).toBeLessThanOrEqual(json.count)
  })

  it('agree with JSON.parse on what is JSON', () => {
    const pieces = [...Array.from('{}[],: x'), '"a"', '1', '-1.5e3', 'true', String.raw`"\n"`]
    // Tries all sequences of four tokens.
    for (let number = 0; number < pieces.length ** 4; number += 1) {
      const text = [0, 1, 2, 3]
        .map((place) => pieces[Math.floor(number / pieces.length ** place) % pieces.length])
        .join('')
      expect(read(text).fault === null, text).toBe(isJson(text))
    }
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const seen = (tree: JsonTree) =>
  Array.from({ length: tree.count }, (_, line) => tree.row(line)?.index)

describe('a tree', () => {
  const json = read('{"a":{"b":[1,2]},"c":3}')

  function folded(...indexes: number[]): JsonTree {
    const tree = new JsonTree(json)
    for (const index of indexes) tree.fold(index, true)
    return tree
  }

  it('hides descendants of a collapsed branch', () => {
    expect(seen(folded())).toEqual([0, 1, 2, 3, 4, 5])
    expect(seen(folded(2))).toEqual([0, 1, 2, 5])
    expect(seen(folded(1, 2))).toEqual([0, 1, 5])
    expect(seen(folded(0))).toEqual([0])
    // A leaf cannot be collapsed.
    expect(seen(folded(5))).toEqual([0, 1, 2, 3, 4, 5])
    expect(folded(2).row(2)).toEqual({
      index: 2,
      depth: 2,
      key: 'b',
      kind: 'array',
      text: '',
      children: 2,
      folded: true,
    })
    expect(folded(2).row(4)).toBeNull()
  })

  it('expands again, one branch or all', () => {
    const tree = folded(1, 2)
    tree.fold(1, false)
    expect(seen(tree)).toEqual([0, 1, 2, 5])
    tree.foldAll(false)
    expect(seen(tree)).toEqual([0, 1, 2, 3, 4, 5])
    tree.foldAll(true)
    expect(seen(tree)).toEqual([0, 1, 5])
    tree.fold(1, false)
    expect(seen(tree)).toEqual([0, 1, 2, 5])
  })

  it('starts expanded for a small document, and expanded to two levels for a large one', () => {
    const large = new JsonTree(read(`{"a":[[1],[]${',[2]'.repeat(500)}]}`))
    expect(large.count).toBe(2 + 502)
    large.fold(2, false)
    expect(large.count).toBe(2 + 503)
  })

  it('expands the ancestors of a match while it is shown', () => {
    const tree = folded(1)
    tree.reveal(4)
    expect(seen(tree)).toEqual([0, 1, 2, 3, 4, 5])
    expect(tree.lineOf(4)).toBe(4)
    tree.reveal(5)
    expect(seen(tree)).toEqual([0, 1, 5])
    expect(tree.lineOf(5)).toBe(2)
    // A hidden value has the line of its collapsed branch.
    expect(tree.lineOf(4)).toBe(1)
    tree.reveal(3)
    tree.fold(5, true)
    tree.reveal(null)
    expect(seen(tree)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('finds parents', () => {
    expect(ancestors(json, 4)).toEqual([0, 1, 2])
    expect(ancestors(json, 5)).toEqual([0])
    expect(ancestors(json, 0)).toEqual([])
    expect(ancestors(json, 99)).toEqual([])
    expect(folded().parentOf(4)).toBe(2)
  })

  it('is searched by key and scalar, ignoring case', () => {
    const found = read('{"Total":1,"x":{"y":"a total"},"list":[10,"TOTAL"]}')
    expect(valuesWith(found, 'total')).toEqual([1, 3, 6])
    expect(valuesWith(found, '1')).toEqual([1, 5])
    expect(valuesWith(found, '')).toEqual([])
  })
})
