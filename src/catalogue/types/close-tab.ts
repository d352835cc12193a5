import { defineEventType } from '../define.ts'
import { shortId, joinNonEmpty } from '../payload.ts'

export default defineEventType({
  type: 'CLOSE_TAB',
  label: 'Tab closed',
  fired: 'Fired when a tab is closed at a location. `targetUuid` = tab UUID. Data: none.',
  target: { uuid: 'tabUuid', id: null },
  hasData: 'no',
  data: [],
  view: {
    icon: 'door-closed',
    stamp: { word: 'Tab closed', sign: null },
    heading: [],
    subheading: ['locationName'],
    amount: null,
    parts: [],
  },
  facts: { tab: ['targetUuid'] },
  summarise: ({ targetUuid }) => joinNonEmpty('Tab', shortId(targetUuid), 'closed'),
  sample: ({ uuid }) => ({ targetUuid: uuid(), data: {} }),
})
