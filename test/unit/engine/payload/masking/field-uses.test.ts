import { expect, test } from 'vitest'
import { secretKeyField } from '#contract/masking.ts'
import { FieldUses } from '#engine/payload/masking/field-uses.ts'

test('counts by field, undocumented ones first; an example that changes replaces one that stays', () => {
  const uses = new FieldUses()
  uses.delivery = 7
  for (const spot of ['Bar', 'Terrace', 'Jetty', 'Bar'])
    uses.add('data.spotName', 'kept', spot, spot)
  uses.add('data.spotName', 'masked', 'Room 41299', 'Xxxxx 00000')
  uses.add('data.loyaltyTier', 'masked', 'gold', 'xxxxx')
  expect(uses.fields()).toEqual([
    {
      field: 'data.loyaltyTier',
      documented: false,
      kept: 0,
      aliases: 0,
      masked: 1,
      examples: [{ deliveryId: 7, was: 'gold', becomes: 'xxxxx' }],
    },
    {
      field: 'data.spotName',
      documented: true,
      kept: 4,
      aliases: 0,
      masked: 1,
      examples: [
        { deliveryId: 7, was: 'Terrace', becomes: 'Terrace' },
        { deliveryId: 7, was: 'Jetty', becomes: 'Jetty' },
        { deliveryId: 7, was: 'Room 41299', becomes: 'Xxxxx 00000' },
      ],
    },
  ])
  expect(uses.texts().map(({ text, values }) => `${text} ${values}`)).toEqual([
    'Bar 2',
    'Terrace 1',
    'Jetty 1',
  ])
})

test.each([
  ['header authorization', 'Basic x'],
  ['header x-shop', 'pin hunter"2"'],
  ['data.note', String.raw`pin hunter\"2\"`],
  ['path', '/hooks/a?x=hunter%222%22'],
  ['data.note', 'my password is 1'],
  ['data.hex', '68756e746572223222aa'],
])('%s: %s is not shown', (field, original) => {
  const uses = new FieldUses(['hunter"2"'])
  uses.add(field, 'masked', original, 'xxxxx')
  expect(uses.fields()[0]?.examples).toEqual([{ deliveryId: null, was: null, becomes: 'xxxxx' }])
})

test('a key that is a secret is not named', () => {
  const uses = new FieldUses(['hunter2'])
  uses.add('data.hunter2', 'kept', '1', '1')
  expect(uses.fields().map(({ field }) => field)).toEqual([secretKeyField])
})
