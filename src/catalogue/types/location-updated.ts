import { defineEventType } from '../define.ts'
import { shortId, text, joinNonEmpty } from '../payload.ts'

export default defineEventType({
  type: 'LOCATION_UPDATED',
  label: 'Location changed',
  fired:
    "Fired when a location's settings or details are updated. `targetUuid` = location UUID. Data: none.",
  target: { uuid: 'locationUuid', id: null },
  hasData: 'no',
  data: [],
  view: {
    icon: 'map-pin',
    stamp: { word: 'Location changed', sign: null },
    heading: ['locationName'],
    subheading: [],
    amount: null,
    parts: [],
  },
  summarise: ({ locationName, targetUuid }) =>
    joinNonEmpty('Location', text(locationName) || shortId(targetUuid), 'changed'),
  sample: ({ location }) => ({ targetUuid: location.uuid, data: {} }),
})
