import { defineEventType, row } from '../define.ts'
import { field, line, shortId, joinNonEmpty } from '../payload.ts'

export default defineEventType({
  type: 'CATEGORY_UPDATED',
  label: 'Category changed',
  fired:
    'Fired when a category at a location is updated, or when a product within that category is updated. `targetUuid` is null (categories have no UUID); `targetId` = category ID.',
  target: { uuid: null, id: 'categoryId' },
  hasData: 'yes',
  data: [
    {
      ...row(
        'cause',
        'object',
        'The update that triggered this event. When a product change caused it, the object has `type` equal to `PRODUCT_UPDATED`.',
        'Cause',
        'object',
      ),
      inside: { key: 'type', known: ['PRODUCT_UPDATED'] },
    },
  ],
  view: {
    icon: 'folder-pen',
    stamp: { word: 'Category changed', sign: null },
    heading: [],
    subheading: ['locationName'],
    amount: null,
    parts: [
      {
        kind: 'choice',
        of: 'data.cause.type',
        cases: { PRODUCT_UPDATED: 'Because a product in this category was updated.' },
        other: 'Because of %.',
      },
    ],
  },
  summarise({ targetId, data }) {
    const byProduct = field(field(data, 'cause'), 'type') === 'PRODUCT_UPDATED'
    return line(
      joinNonEmpty('Category', shortId(targetId), 'changed'),
      byProduct ? 'by a product' : '',
    )
  },
  // Null instead of absent, as documented.
  sample: ({ between }) => ({
    targetUuid: null,
    targetId: `${between(110, 119)}`,
    data: { cause: { type: 'PRODUCT_UPDATED' } },
  }),
})
