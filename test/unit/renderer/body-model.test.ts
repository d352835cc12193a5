import { describe, expect, it } from 'vitest'
import { createBodyModel } from '#parts/body/body-model.ts'
import { type JsonIndex, jsonIndex, keyOf, kindOf, sourceOf } from '#parts/body/json-index.ts'
import { readingOf, restoreNumbers } from '#parts/body/reading.ts'
import { brief, guessFormat } from '#pages/deliveries/detail/field-format.ts'
import { fits } from '#catalogue/field-type.ts'
import { amount, ExactNumber } from '#catalogue/payload.ts'
import { valueAt } from '#catalogue/view.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

function bodyOf(content: string | Uint8Array) {
  const body = createBodyModel()
  const bytes = typeof content === 'string' ? utf8(content) : content
  // In slices, as received.
  for (let from = 0; from < bytes.length; from += 1000) body.add(bytes.slice(from, from + 1000))
  return { body, facts: body.read({ isComplete: true, size: bytes.length }) }
}

/** The value that the columns describe, assembled from its parts. */
function rebuilt(json: JsonIndex, index: number): unknown {
  const kind = kindOf(json, index)
  if (kind !== 'object' && kind !== 'array') return JSON.parse(sourceOf(json, index))
  const parts: string[] = []
  for (let child = index + 1; child < (json.ends[index] ?? 0); child = json.ends[child] ?? 0) {
    const key = keyOf(json, child)
    const value = JSON.stringify(rebuilt(json, child))
    parts.push(kind === 'object' ? `"${key}":${value}` : value)
  }
  return JSON.parse(kind === 'object' ? `{${parts.join()}}` : `[${parts.join()}]`)
}

describe('the columns of a JSON text', () => {
  it('contain what JSON.parse returns, whatever the keys', () => {
    const random = seeded(4)
    for (let matchIndex = 0; matchIndex < 400; matchIndex++) {
      const value = randomJson(random)
      const text = JSON.stringify(value, null, matchIndex % 3)
      const json = jsonIndex(text)
      expect(json.fault, text).toBeNull()
      expect(JSON.stringify(rebuilt(json, 0)), text).toBe(JSON.stringify(value))
    }
  })
})

describe('the displayed payload', () => {
  it('equals the result of JSON.parse if nothing is truncated', () => {
    const random = seeded(5)
    for (let matchIndex = 0; matchIndex < 400; matchIndex++) {
      const value = { type: 'X', data: randomJson(random, 2), '': randomJson(random, 2) }
      const reading = readingOf(jsonIndex(JSON.stringify(value)))
      if (reading.kind !== 'payload') throw new Error(reading.kind)
      expect(reading.cut).toBe(false)
      expect(JSON.stringify(reading.payload)).toBe(JSON.stringify(value))
    }
  })

  it('uses the last of two equal keys, and treats __proto__ as a key', () => {
    const reading = readingOf(jsonIndex('{"a":1,"a":2,"__proto__":{"b":3}}'))
    expect(JSON.stringify(reading)).toContain('{"a":2,"__proto__":{"b":3}}')
  })

  it('keeps the digits of numbers that JavaScript cannot hold', () => {
    const text =
      '{"a":9007199254740993,"a":5,"data":{"total":9007199254740993.55,"small":0.1,"n":[1e400,-1e-400]}}'
    const reading = restoreNumbers(structuredClone(readingOf(jsonIndex(text))))
    if (reading.kind !== 'payload') throw new Error(reading.kind)
    expect(reading.payload).toEqual({
      a: 5,
      data: {
        total: new ExactNumber('9007199254740993.55'),
        small: 0.1,
        n: [new ExactNumber('1e400'), new ExactNumber('-1e-400')],
      },
    })
    expect(amount(valueAt(reading.payload, 'data.total'))).toBe('9007199254740993.55')
    expect(guessFormat(new ExactNumber('1e400'), 'any')).toBe('count')
    expect(brief({ a: new ExactNumber('1e400') }, 80)).toBe('{ a: 1e400 }')
    expect(fits('number', new ExactNumber('1e400'))).toBe(true)
    expect(fits('object', new ExactNumber('1e400'))).toBe(false)
  })

  it('is truncated for display and marked as such; arrays keep their length', () => {
    const big = JSON.stringify({
      type: 'ORDER_PLACED',
      data: {
        itemNames: Array.from({ length: 50_000 }, (_, n) => `item ${n}`),
        note: 'é'.repeat(30_000),
        deep: [[[[[[[1]]]]]]],
      },
    })
    const reading = readingOf(jsonIndex(big))
    if (reading.kind !== 'payload') throw new Error(reading.kind)
    expect(reading.cut).toBe(true)
    expect(reading.payload).toMatchObject({ type: 'ORDER_PLACED' })
    const data: unknown = Reflect.get(reading.payload, 'data')
    const field = (name: string): unknown => Reflect.get(Object(data), name)
    expect(Reflect.get(Object(field('itemNames')), 'length')).toBe(50_000)
    expect(String(field('note')).length).toBe(20_000)
    expect(JSON.stringify(reading).length).toBeLessThan(400_000)
  })

  it('never truncates a string inside an escape', () => {
    for (const escape of [String.raw`\u00e9`, String.raw`\n`, String.raw`\\`, String.raw`\"`]) {
      for (let before = 0; before < 7; before++) {
        const text = `{"a":"${'x'.repeat(before)}${escape.repeat(15_000)}"}`
        const reading = readingOf(jsonIndex(text))
        if (reading.kind !== 'payload') throw new Error(reading.kind)
        const value = String(Reflect.get(reading.payload, 'a'))
        const all = String(Reflect.get(Object(JSON.parse(text)), 'a'))
        expect(all.startsWith(value)).toBe(true)
        expect(value.length).toBeGreaterThan(3000)
      }
    }
  })
})

describe('a body', () => {
  it('returns the lines of a window for each view', () => {
    const text = JSON.stringify({ a: [1, 2, 'three'], b: 'x'.repeat(400) }, null, 1)
    const { body, facts } = bodyOf(text)
    expect(facts.tree).toEqual({ values: 6, complete: true })
    const tree = body.treeRows({ from: 1, to: 3 })
    expect(tree.count).toBe(6)
    expect(tree.rows.map(({ key, kind }) => [key, kind])).toEqual([
      ['a', 'array'],
      [0, 'number'],
    ])
    const lines = body.textRows({ from: 0, to: 100, columns: 160 })
    expect(lines.rows.length).toBe(lines.count)
    expect(lines.rows.map((row) => (row.number > 0 ? '\n' : '') + row.text).join('')).toBe(
      `\n${text}`,
    )
    const hex = body.hexRows({ from: 1, to: 2 })
    expect(hex.count).toBe(Math.ceil(text.length / 16))
    expect(hex.rows).toEqual([utf8(text).slice(16, 32)])
    expect(body.source(2)).toBe('1')
    expect(body.copy({ hex: false })).toBe(text)
    expect(body.copy({ hex: true })).toBe(Buffer.from(text).toString('hex'))
  })

  it('searches in each view, and wraps around', () => {
    const { body } = bodyOf(`{"list":[${'[0],'.repeat(400)}["needle"]],"x":"Needle"}`)
    const find = (matchIndex: number) => body.find({ view: 'tree', query: 'needle', matchIndex })
    expect(find(0)).toMatchObject({ found: 2, line: 403 })
    expect(body.treeRows({ from: 402, to: 404 }).rows.map(({ text }) => text)).toEqual([
      '',
      '"needle"',
    ])
    // The branch of the first match is collapsed again.
    expect(find(1)).toMatchObject({ found: 2, line: 403 })
    expect(find(2)).toMatchObject({ line: 403 })
    expect(find(-1).line).toBe(403)
    expect(body.find({ view: 'text', query: 'needle', matchIndex: 0 })).toMatchObject({ found: 2 })
    expect(body.find({ view: 'hex', query: 'list', matchIndex: 0 })).toMatchObject({
      found: 1,
      line: 0,
    })
    expect(body.find({ view: 'tree', query: '', matchIndex: 0 })).toMatchObject({
      found: 0,
      line: null,
    })
  })

  it('grows, and is a tree only when complete', () => {
    const body = createBodyModel()
    body.add(utf8('{"a":1,'))
    expect(body.read({ isComplete: false, size: 14 })).toMatchObject({
      text: true,
      tree: null,
      reading: { kind: 'too-long' },
    })
    body.add(utf8('"b":23}'))
    expect(body.read({ isComplete: true, size: 14 }).tree).toEqual({ values: 3, complete: true })
    expect(body.copy({ hex: false })).toBe('{"a":1,"b":23}')
  })

  it('that is not text only has bytes', () => {
    const { body, facts } = bodyOf(Uint8Array.of(0xff, 0x41))
    expect(facts).toEqual({ text: false, tree: null, reading: { kind: 'not-text' } })
    expect(body.find({ view: 'hex', query: 'A', matchIndex: 0 }).found).toBe(1)
  })
})
