import { describe, expect, it } from 'vitest'
import {
  ancestors,
  foldedAtFirst,
  jsonNodes,
  unfolded,
} from '#renderer/features/deliveries/detail/json-nodes.ts'

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

  it('end after 200,000, and say so', () => {
    const { nodes, complete } = jsonNodes(`[${'0,'.repeat(250_000)}0]`)
    expect(nodes.length).toBe(200_000)
    expect(nodes[0]?.end).toBe(200_000)
    expect(complete).toBe(false)
  })

  it.each(['{"a": nope}', '["open', '<xml/>', '[1 § 2]'])('end where %s is not JSON', (text) => {
    const { nodes, complete } = jsonNodes(text)
    expect(complete).toBe(false)
    for (const { end } of nodes) expect(end).toBeLessThanOrEqual(nodes.length)
  })

  it('are none in no text, and survive brackets that close nothing', () => {
    expect(jsonNodes('')).toEqual({ nodes: [], complete: true })
    expect(jsonNodes(']}]').nodes).toEqual([])
  })
})

describe('folding', () => {
  const { nodes } = jsonNodes('{"a":{"b":[1,2]},"c":3}')

  it('leaves out what lies below', () => {
    expect(unfolded(nodes, new Set())).toEqual([0, 1, 2, 3, 4, 5])
    expect(unfolded(nodes, new Set([2]))).toEqual([0, 1, 2, 5])
    expect(unfolded(nodes, new Set([1, 2]))).toEqual([0, 1, 5])
    expect(unfolded(nodes, new Set([0]))).toEqual([0])
  })

  it('is none at first in a small document, and all but two levels in a large one', () => {
    expect([...foldedAtFirst(nodes)]).toEqual([])
    const large = jsonNodes(`{"a":[[1],[]${',[2]'.repeat(300)}]}`).nodes
    expect(unfolded(large, foldedAtFirst(large)).length).toBe(2 + 302)
  })

  it('knows the way up', () => {
    expect(ancestors(nodes, 4)).toEqual([0, 1, 2])
    expect(ancestors(nodes, 5)).toEqual([0])
    expect(ancestors(nodes, 0)).toEqual([])
    expect(ancestors(nodes, 99)).toEqual([])
  })
})
