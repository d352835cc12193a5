import { describe, expect, it } from 'vitest'
import { SandboxError } from '#sandbox/errors.ts'
import { bodyWith } from '#sandbox/request.ts'
import { seeded } from '#sandbox/random.ts'
import { allTypes, samplePayload, sampleSource, sampleSteps } from '#sandbox/steps.ts'

const payload = { type: 'A', data: { total: 1 } }

describe('bodyWith', () => {
  it('keeps the notation of a number', () => {
    expect(bodyWith(payload, ['data.total=12.50']).toString()).toBe(
      '{"type":"A","data":{"total":12.50}}',
    )
  })

  it('rejects an invalid override', () => {
    expect(() => bodyWith(payload, ['data.total.x=1'])).toThrow(SandboxError)
  })
})

const source = () => sampleSource(seeded(3), 'Acme', new Date(0))

describe('samples', () => {
  it('are the same for the same seed', () => {
    expect(samplePayload('OPEN_TAB', source())).toEqual(samplePayload('OPEN_TAB', source()))
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
