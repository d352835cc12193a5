import { describe, expect, it } from 'vitest'
import { findingCodes } from '#catalogue/finding-codes.ts'
import { extras, findingCases } from '#test/support/finding-cases.ts'
import { findingsIn, sampleDelivery } from '#test/support/sample-delivery.ts'

const listed = new Map<string, string>(findingCodes.map(({ code, severity }) => [code, severity]))

describe('the list of codes', () => {
  it('has each once, with a sentence', () => {
    expect(new Set(findingCodes.map(({ code }) => code)).size).toBe(findingCodes.length)
    for (const { code, title } of findingCodes) {
      expect(code).toMatch(/^[a-z]+\.[a-z_0-9]+$/)
      expect(title).toMatch(/^[A-Zc].+\.$/)
    }
  })

  it('has the codes that the engine can find, no more and no fewer', () => {
    const found = new Set(
      findingCases.flatMap(({ has }) => findingsIn(has).map(({ code }) => code)),
    )
    expect([...found].sort()).toEqual([...listed.keys()].sort())
    expect(new Set<string>(findingCases.map(({ code }) => code))).toEqual(found)
  })
})

describe.each(findingCases.map((one) => [one.code, one.what, one] as const))(
  '%s: %s',
  (code, _, { has, nearly, place, with: also = [] }) => {
    it('is found where it is, and nothing else', () => {
      const findings = findingsIn(has)
      expect(findings.map((finding) => finding.code)).toEqual([...also, code])
      expect(findings.at(-1)).toMatchObject({ place, severity: listed.get(code) })
      expect(findings.at(-1)?.message).toMatch(/^[A-Zc].+\.$/)
    })

    it('is not found where it nearly is, nor anything else', () => {
      expect(findingsIn(nearly)).toEqual([])
    })
  },
)

const told = (type: string, payload: (payload: Record<string, unknown>) => void) =>
  findingsIn(sampleDelivery(type, { payload }))

describe('what is reported', () => {
  it('names what was expected and what came', () => {
    expect(told('ITEM_ADDED', (payload) => void (payload.data = 'none'))).toMatchObject([
      { code: 'payload.field_type', expected: 'object', actual: 'text' },
    ])
    expect(told('CATEGORY_UPDATED', (payload) => void delete payload.targetId)).toMatchObject([
      { code: 'target.id_missing', expected: 'the categoryId', actual: 'nothing' },
    ])
  })

  it('lists at most 50, the last of which reports how many more', () => {
    const findings = findingsIn(
      sampleDelivery('ITEM_ADDED', {
        payload: (payload, data) => (extras(payload, 60), extras(data, 40)),
      }),
    )
    expect(findings).toHaveLength(50)
    expect(findings.at(-1)).toMatchObject({ code: 'findings.more', actual: '51' })
    const fifty = sampleDelivery('ITEM_ADDED', { payload: (payload) => extras(payload, 50) })
    expect(findingsIn(fifty).map(({ code }) => code)).toEqual(
      Array.from({ length: 50 }, () => 'payload.field_extra'),
    )
  })

  it('lists errors before extras, however many there are', () => {
    const findings = findingsIn(
      sampleDelivery('ITEM_ADDED', {
        payload: (payload) => (extras(payload, 500), void (payload.locationId = 9)),
      }),
    )
    expect(findings[0]?.code).toBe('payload.field_type')
  })

  it('cuts what came, and leaves no half of a character', () => {
    const wide = '🍔'.repeat(100_000)
    const findings = findingsIn(
      sampleDelivery('ITEM_ADDED', {
        payload: (payload) => {
          payload[wide] = 1
          payload.createdAt = wide
        },
        headers: (headers) =>
          headers.map(([name, value]) => [name, name === 'User-Agent' ? 'x'.repeat(9000) : value]),
      }),
    )
    expect(findings).toHaveLength(3)
    for (const { place, message, expected = '', actual = '' } of findings) {
      expect(place.length).toBeLessThanOrEqual(120)
      expect(expected.length).toBeLessThanOrEqual(200)
      expect(actual.length).toBeLessThanOrEqual(200)
      expect(`${place}${message}${expected}${actual}`.isWellFormed()).toBe(true)
    }
  })
})
