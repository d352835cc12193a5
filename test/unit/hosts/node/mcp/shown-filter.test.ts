import { expect, it } from 'vitest'
import type { MaskedRecords } from '#hosts/node/mcp/records.ts'
import { readShownFilter } from '#hosts/node/mcp/shown-filter.ts'

const originals: Readonly<Record<string, string>> = {
  'uuid 7': '1b4e28ba-2fa1-4d3e-883f-0016d3cca427',
  'phone 1': '31612345678',
  'name 1': 'Canary',
}
const records: Pick<MaskedRecords, 'isMasked' | 'originalOf'> = {
  isMasked: (field) => field === 'data.price',
  originalOf: (alias) => originals[alias] ?? null,
}
const read = (filter: string): string => readShownFilter(filter, records)

it.each([
  '',
  'verdict:invalid finding:data.* -is:duplicate',
  'type:ORDER_PLACED,none since:2h endpoint:1',
  'secret:previous or method:POST',
  'data.total:*',
])('%j compares nothing that is masked', (filter) => {
  expect(read(filter)).toBe(filter)
})

it.each([
  'canary',
  '-"name 1"',
  'path:*eyJ*',
  'size:>100',
  'contains:canary',
  'method:P*',
  'endpoint:a*',
  'integration:Mine',
  'secret:a*',
  'relay:Team',
  'type:CANARYSMITH',
  'type:GUEST_*',
  'header:x-api-key=a*',
  'header:x-api-key',
  'note:ask',
  'tag:a*',
  'spot:T4',
  'total:>40',
  'guest:"phone 1"',
  // They are aliases, of another kind, or not known.
  'data.handle:+31*',
  '-data.handle:+31*',
  'data.handle:>"phone 1"',
  'data.handle:"name 1"',
  'data.handle:"phone 2"',
  'target:1b4e28ba-2fa1-4d3e-883f-0016d3cca427',
  'target:"uuid 7-1b4e"',
  // Not documented.
  'data.pin:>=98000',
  'data.loyaltyTier:*',
  'data.loyaltyTier:gold',
  'data.total.x:4',
  // Masked by its form, by a guest in it, or by the user.
  'data.total:>73190428651734',
  'data.total:"73190428651734"',
  'data.productName:Pale*',
  'data.productName:>P',
  'data.productName:"ask 31612345678"',
  'data.spotName:"Table for Canary"',
  'data.spotName:!="Table for Canary"',
  'data.price:2',
])('%s is refused', (filter) => {
  expect(() => read(filter)).toThrow(
    expect.objectContaining({ code: 'bad_filter', message: expect.stringMatching(/\.$|"$/) }),
  )
})

it('says what can be searched', () => {
  expect(() => read('canary')).toThrow(/type, endpoint.* alias for target.* data\.total/)
})

it('compares values of documented fields only where none of them is masked', () => {
  const deviates = 'finding:body.*,*.field_type,findings.more'
  const product = `type:ITEM_ADDED,ITEM_REMOVED -${deviates} data.productName:"Pale Ale"`
  expect(read('data.productName:"Pale Ale"')).toBe(product)
  expect(read('-data.productName:"Pale Ale"')).toBe(
    `-(data.productName:"Pale Ale" or -(type:ITEM_ADDED,ITEM_REMOVED -${deviates}))`,
  )
  expect(read('data.total:>40')).toBe(
    `type:OPEN_TAB,ORDER_PLACED -${deviates} data.total:<10000000 data.total:>-10000000 data.total:>40`,
  )
})

it('replaces aliases by their values', () => {
  expect(read('target:"uuid 7" or ref:"uuid 7"')).toBe(
    `target:"${originals['uuid 7']}" or ref:"${originals['uuid 7']}"`,
  )
  expect(read('data.handle:"+phone 1"')).toContain('data.handle:"+31612345678"')
})
