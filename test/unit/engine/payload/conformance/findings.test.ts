import { describe, expect, it } from 'vitest'
import { findingCodes } from '#catalogue/findings.ts'
import { extras, findingCases } from '#test/support/finding-cases.ts'
import { findingsIn, sampleDelivery } from '#test/support/sample-delivery.ts'

const listed = new Map<string, string>(findingCodes.map(({ code, severity }) => [code, severity]))

describe('the list of codes', () => {
  it('contains each code once, with a sentence', () => {
    expect(new Set(findingCodes.map(({ code }) => code)).size).toBe(findingCodes.length)
    for (const { code, title } of findingCodes) {
      expect(code).toMatch(/^[a-z]+\.[a-z_0-9]+$/)
      expect(title).toMatch(/^[A-Zc].+\.$/)
    }
  })

  it('contains exactly the codes that the engine can find in a request, and that of a failed script', () => {
    const found = new Set(
      findingCases.flatMap(({ has }) => findingsIn(has).map(({ code }) => code)),
    )
    expect([...found, 'script.failed'].sort()).toEqual([...listed.keys()].sort())
    expect(new Set<string>(findingCases.map(({ code }) => code))).toEqual(found)
  })
})

describe.each(findingCases.map((one) => [one.code, one.what, one] as const))(
  '%s: %s',
  (code, _, { has, nearly, place, with: also = [] }) => {
    it('is the only finding of the positive example', () => {
      const findings = findingsIn(has)
      expect(findings.map((finding) => finding.code)).toEqual([...also, code])
      expect(findings.at(-1)).toMatchObject({ location: place, severity: listed.get(code) })
      expect(findings.at(-1)?.message).toMatch(/^[A-Zc].+\.$/)
    })

    it('is not found in the negative example, which has no finding', () => {
      expect(findingsIn(nearly)).toEqual([])
    })
  },
)

const findingsFor = (type: string, payload: (payload: Record<string, unknown>) => void) =>
  findingsIn(sampleDelivery(type, { payload }))

describe('what is reported', () => {
  it('names the expected and the actual value', () => {
    expect(findingsFor('ITEM_ADDED', (payload) => void (payload.data = 'none'))).toMatchObject([
      { code: 'payload.field_type', expected: 'object', actual: 'text' },
    ])
    expect(
      findingsFor('CATEGORY_UPDATED', (payload) => void delete payload.targetId),
    ).toMatchObject([{ code: 'target.id_missing', expected: 'the categoryId', actual: 'nothing' }])
  })

  it('lists at most 50 findings; the last one counts the rest', () => {
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

  it('lists errors before extra fields, regardless of their number', () => {
    const findings = findingsIn(
      sampleDelivery('ITEM_ADDED', {
        payload: (payload) => (extras(payload, 500), void (payload.locationId = 9)),
      }),
    )
    expect(findings[0]?.code).toBe('payload.field_type')
  })

  it('truncates actual values at whole characters', () => {
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
    for (const { location, message, expected = '', actual = '' } of findings) {
      expect(location.length).toBeLessThanOrEqual(120)
      expect(expected.length).toBeLessThanOrEqual(200)
      expect(actual.length).toBeLessThanOrEqual(200)
      expect(`${location}${message}${expected}${actual}`.isWellFormed()).toBe(true)
    }
  })
})
