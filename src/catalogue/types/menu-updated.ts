import { defineEventType } from '../define.ts'
import { shortId, joinNonEmpty } from '../payload.ts'

export default defineEventType({
  type: 'MENU_UPDATED',
  label: 'Menu changed',
  fired: 'Fired when a menu at a location is updated. `targetUuid` = menu UUID. Data: none.',
  target: { uuid: 'menuUuid', id: null },
  hasData: 'no',
  data: [],
  view: {
    icon: 'book-open',
    stamp: { word: 'Menu changed', sign: null },
    heading: [],
    subheading: ['locationName'],
    amount: null,
    parts: [],
  },
  summarise: ({ targetUuid }) => joinNonEmpty('Menu', shortId(targetUuid), 'changed'),
  sample: ({ uuid }) => ({ targetUuid: uuid(), data: {} }),
})
