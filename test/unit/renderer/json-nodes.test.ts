import { describe, expect, it } from 'vitest'
import {
  ancestors,
  fold,
  foldedAtFirst,
  nodesMost,
  jsonNodes as read,
  unfolded,
} from '#renderer/features/body/json-nodes.ts'
import { finish } from '#renderer/features/body/in-slices.ts'

const jsonNodes = (text: string) => finish(read(text))

const drawn = (text: string) =>
  jsonNodes(text).nodes.map(({ depth, key, kind, text }) => [depth, key, kind, text])

describe('nodes', () => {
  it('stand in document order, each with its key and depth', () => {
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
    const { nodes, complete } = jsonNodes('{"a":[1,{"b":null}],"c":{}}')
    expect(complete).toBe(true)
    expect(nodes.map(({ end, children }) => [end, children])).toEqual([
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

  it('keep escapes as they are written, quotes and brackets in strings with them', () => {
    const source = String.raw`"\"}]\\,\u00e9\ud83c\n:"`
    expect(drawn(`{${source}:${source}}`)[1]).toEqual([1, source.slice(1, -1), 'string', source])
  })

  it('reach 20,000 levels down, and back up', () => {
    const depth = 20_000
    const { nodes, complete } = jsonNodes(`${'[{"a":'.repeat(depth / 2)}7${'}]'.repeat(depth / 2)}`)
    expect(complete).toBe(true)
    expect(nodes.length).toBe(depth + 1)
    expect(nodes.at(-1)).toMatchObject({ depth, text: '7' })
    expect(nodes.every(({ end }) => end === depth + 1)).toBe(true)
    const above = ancestors(nodes, depth)
    expect(above.length).toBe(depth)
    expect(above.slice(0, 3)).toEqual([0, 1, 2])
    expect(unfolded(nodes, foldedAtFirst(nodes))).toEqual([0, 1, 2])
  })

  it('read a string of a million characters', () => {
    const long = `"${String.raw`a\n`.repeat(330_000)}"`
    expect(drawn(`[${long}]`)[1]).toEqual([1, 0, 'string', long])
  })

  it('end after two million, and say so', () => {
    const { nodes, complete, fault } = jsonNodes(`[${'0,'.repeat(nodesMost + 9)}0]`)
    expect(nodes.length).toBe(nodesMost)
    expect(nodes[0]?.end).toBe(nodesMost)
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
  ])('say where %s is not JSON', (text, at) => {
    const { nodes, fault } = jsonNodes(text)
    expect(fault).toBe(at)
    for (const { end } of nodes) expect(end).toBeLessThanOrEqual(nodes.length)
  })

  it('agree with JSON.parse on what is JSON', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-1.5e3',
      'true',
      ' ',
      String.raw`"\n"`,
      'x',
    ]
    // All sequences of four pieces: small enough to try every one.
    for (let number = 0; number < pieces.length ** 4; number += 1) {
      const text = [0, 1, 2, 3]
        .map((place) => pieces[Math.floor(number / pieces.length ** place) % pieces.length])
        .join('')
      expect(jsonNodes(text).fault === null, text).toBe(isJson(text))
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

describe('folding', () => {
  const { nodes } = jsonNodes('{"a":{"b":[1,2]},"c":3}')

  const seen = (...folded: number[]) =>
    unfolded(nodes, fold(nodes, folded, foldedAtFirst(nodes), true))

  it('leaves out what lies below', () => {
    expect(seen()).toEqual([0, 1, 2, 3, 4, 5])
    expect(seen(2)).toEqual([0, 1, 2, 5])
    expect(seen(1, 2)).toEqual([0, 1, 5])
    expect(seen(0)).toEqual([0])
    // A leaf has nothing to fold.
    expect(seen(5)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('is undone', () => {
    const folded = fold(nodes, [1, 2], foldedAtFirst(nodes), true)
    expect(unfolded(nodes, fold(nodes, [1], folded, false))).toEqual([0, 1, 2, 5])
    expect(fold(nodes, [1, 2], folded, true)).toBe(folded)
  })

  it('is none at first in a small document, and all but two levels in a large one', () => {
    const large = jsonNodes(`{"a":[[1],[]${',[2]'.repeat(300)}]}`).nodes
    const folding = foldedAtFirst(large)
    expect(unfolded(large, folding).length).toBe(2 + 302)
    expect(unfolded(large, fold(large, [2], folding, false)).length).toBe(2 + 303)
  })

  it('knows the way up', () => {
    expect(ancestors(nodes, 4)).toEqual([0, 1, 2])
    expect(ancestors(nodes, 5)).toEqual([0])
    expect(ancestors(nodes, 0)).toEqual([])
    expect(ancestors(nodes, 99)).toEqual([])
  })
})
