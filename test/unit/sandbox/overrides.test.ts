import { describe, expect, it } from 'vitest'
import { SandboxError } from '#sandbox/errors.ts'
import { applyOverrides } from '#sandbox/overrides.ts'
import { seeded } from '#sandbox/random.ts'
import { allTypes, samplePayload, sampleSource, sampleSteps } from '#sandbox/steps.ts'

const payload = { type: 'ORDER_PLACED', data: { total: 1, itemTags: ['a', 'b'], cause: null } }

describe('applyOverrides', () => {
  it.each([
    ['data.total=12', { ...payload, data: { ...payload.data, total: 12 } }],
    ['data.total="12"', { ...payload, data: { ...payload.data, total: '12' } }],
    ['locationName=X = Y', { ...payload, locationName: 'X = Y' }],
    ['locationName=', { ...payload, locationName: '' }],
    ['data.itemTags.1=c', { ...payload, data: { ...payload.data, itemTags: ['a', 'c'] } }],
    ['data.itemTags[2]=c', { ...payload, data: { ...payload.data, itemTags: ['a', 'b', 'c'] } }],
    ['data.cause.type=X', { ...payload, data: { ...payload.data, cause: { type: 'X' } } }],
    ['data.new.deep=[1]', { ...payload, data: { ...payload.data, new: { deep: [1] } } }],
    ['data=null', { ...payload, data: null }],
    ['data.toString.x=1', { ...payload, data: { ...payload.data, toString: { x: 1 } } }],
  ])('%s', (override, expected) => {
    const before = structuredClone(payload)
    expect(applyOverrides(payload, [override])).toEqual(expected)
    expect(payload).toEqual(before)
  })

  it('applies overrides in order', () => {
    expect(applyOverrides(payload, ['data={}', 'data.a=1', 'data.a=2']).data).toEqual({ a: 2 })
  })

  it.each([
    ['data.total', 'write path=value'],
    ['=1', 'write path=value'],
    ['data..total=1', 'names separated by dots'],
    ['data.total.x=1', 'data.total is a number and has no fields'],
    ['type.x=1', 'type is a string'],
    ['data.itemTags.x=1', '“x” is not a list index'],
    ['data.itemTags.length=0', '“length” is not a list index'],
    ['data.itemTags.4=1', 'the list has 2 entries'],
    ['__proto__.polluted=1', '__proto__ is not allowed'],
    ['data.__proto__={"polluted":1}', '__proto__ is not allowed'],
  ])('rejects %s', (override, message) => {
    expect(() => applyOverrides(payload, [override])).toThrow(SandboxError)
    expect(() => applyOverrides(payload, [override])).toThrow(message)
  })

  it('does not pollute prototypes', () => {
    applyOverrides(payload, ['constructor.prototype.polluted=1', 'data.constructor.polluted=1'])
    applyOverrides(payload, ['data.x={"__proto__":{"polluted":1}}', 'data.x.y=1'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get([], 'polluted')).toBeUndefined()
  })
})

const source = () => sampleSource(seeded(3), 'Acme', new Date(0))

describe('samples', () => {
  it('are the same for the same seed, with overrides applied', () => {
    expect(samplePayload('OPEN_TAB', source())).toEqual(samplePayload('OPEN_TAB', source()))
    const changed = samplePayload('OPEN_TAB', source(), ['data.name=Ada', 'createdAt=never'])
    expect(changed).toMatchObject({ createdAt: 'never', data: { name: 'Ada' } })
  })

  it('lists the known types for an unknown type', () => {
    expect(() => samplePayload('OPEN_TABS', source())).toThrow(/“OPEN_TABS”.*CLOSE_TAB/)
  })

  it('rejects invalid options at the first step', () => {
    const options = { random: seeded(1), brand: 'Acme', overrides: ['data.name.x=1'] }
    expect(() => sampleSteps(['ORDER_PLACED', 'OPEN_TAB'], options).next()).toThrow('data.name is')
    expect(() => sampleSteps(['NOPE'], { random: seeded(1), brand: 'Acme' }).next()).toThrow('NOPE')
  })

  it('come in rounds, each a lane', () => {
    const steps = [...sampleSteps(allTypes(), { random: seeded(1), brand: 'Acme', count: 2 })]
    expect(steps.map(({ type }) => type)).toEqual([...allTypes(), ...allTypes()])
    expect(new Set(steps.map(({ lane }) => lane)).size).toBe(2)
  })
})

describe('seeded', () => {
  it('gives version 4 UUIDs that do not repeat', () => {
    const random = seeded(9)
    const uuids = Array.from({ length: 10_000 }, () => random.uuid())
    expect(new Set(uuids).size).toBe(uuids.length)
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  it('distinguishes seeds, large ones too', () => {
    const firsts = [0, 1, 2, 2 ** 32, 2 ** 32 + 1, 2 ** 50].map((seed) => seeded(seed).uuid())
    expect(new Set(firsts).size).toBe(firsts.length)
  })

  it('stays within bounds and reaches them', () => {
    const random = seeded(4)
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(1, 6)))
    expect([...drawn].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    expect(() => random.pick([])).toThrow(RangeError)
  })
})
