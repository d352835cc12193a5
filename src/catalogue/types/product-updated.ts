import { defineEventType } from '../define.ts'
import { shortId, joinNonEmpty } from '../payload.ts'

export default defineEventType({
  type: 'PRODUCT_UPDATED',
  label: 'Product changed',
  fired: 'Fired when a product at a location is updated. `targetUuid` = product UUID. Data: none.',
  target: { uuid: 'productUuid', id: null },
  hasData: 'no',
  data: [],
  view: {
    icon: 'package',
    stamp: { word: 'Product changed', sign: null },
    heading: [],
    subheading: ['locationName'],
    amount: null,
    parts: [],
  },
  summarise: ({ targetUuid }) => joinNonEmpty('Product', shortId(targetUuid), 'changed'),
  sample: ({ uuid }) => ({ targetUuid: uuid(), data: {} }),
})
