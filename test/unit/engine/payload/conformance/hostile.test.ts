import { expect, it } from 'vitest'
import { findingsIn, sampleDelivery } from '#test/support/sample-delivery.ts'

const withData = (data: string) =>
  findingsIn(
    sampleDelivery('ITEM_ADDED', {
      body: (text) => text.replace(/"data":\{.*\}\}$/, `"data":${data}}`),
    }),
  )
const repeat = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(',')

// A check that scales worse than linearly would exceed the time limit of the test.
it('counts a large number of fields, and reports 49', () => {
  const findings = withData(`{${repeat(200_000, (index) => `"f${index}":0`)}}`)
  expect(findings).toHaveLength(50)
  expect(findings.at(-1)).toMatchObject({ code: 'findings.more', actual: '199961' })
})

it('finds a key that is repeated many times', () => {
  const findings = withData(`{${repeat(200_000, () => '"name":""')}}`)
  expect(findings.filter(({ code }) => code === 'body.duplicate_key')).toHaveLength(3)
})

it('finds a duplicate at the end of a large number of keys', () => {
  const findings = withData(`{${repeat(300_000, (index) => `"f${index}":0`)},"f0":1}`)
  expect(findings[0]).toMatchObject({ code: 'body.duplicate_key', location: 'body.data.f0' })
})

it('checks 100,000 nested levels', () => {
  const deep = 100_000
  const findings = withData(`${'{"a":'.repeat(deep)}[]${'}'.repeat(deep)}`)
  expect(findings.at(-1)).toMatchObject({ code: 'data.field_extra', location: 'body.data.a' })
  expect(withData(`${'['.repeat(deep)}${']'.repeat(deep)}`)).toMatchObject([
    { code: 'payload.field_type', location: 'body.data' },
  ])
})

it('checks 25 MiB of text that looks like keys', () => {
  const text = '\\":1,'.repeat(5 * 1024 * 1024)
  expect(withData(`{"name":"${text}"}`).some(({ code }) => code === 'body.duplicate_key')).toBe(
    false,
  )
})

it('compares a header with a target of many megabytes', () => {
  const long = 'é'.repeat(8 * 1024 * 1024)
  const sent = sampleDelivery('ITEM_ADDED', {
    body: (text) => text.replace(/"targetUuid":"[^"]*"/, `"targetUuid":"${long}"`),
  })
  const [finding] = findingsIn(sent)
  expect(finding).toMatchObject({ code: 'header.target_uuid_mismatch' })
  expect(finding?.expected?.length).toBeLessThanOrEqual(200)
})
