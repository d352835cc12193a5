import { defineEventType, leaves, row } from '../define.ts'
import { field, line, shortId, text, joinNonEmpty } from '../payload.ts'

export default defineEventType({
  type: 'QR_SCANNED',
  label: 'QR code scanned',
  fired:
    'Fired when a QR code is scanned at a location. No `targetUuid`; `targetId` = spot ID (or the ID of whichever resource the QR code points to). Throttled: at most one event per 5 minutes per customer per target.',
  target: { uuid: null, id: 'spotId' },
  hasData: 'yes',
  data: [
    leaves(
      'type',
      row(
        'type',
        'string',
        'Type of resource the QR code targets; currently always `SPOT`.',
        'Target type',
        'text',
        ['SPOT'],
      ),
    ),
    leaves(
      'spot',
      row('targetName', 'string', 'Name of the resource the QR code points to.', 'Target', 'text'),
    ),
    leaves(
      'text',
      row(
        'entryPoint',
        'string',
        'Entry point context in which the code was scanned.',
        'Entry point',
        'text',
      ),
    ),
  ],
  view: {
    icon: 'qr-code',
    stamp: { word: 'QR code scanned', sign: null },
    heading: ['data.targetName'],
    subheading: ['data.type', 'locationName'],
    amount: null,
    parts: [],
  },
  facts: { spot: 'data.targetName', spotIf: { place: 'data.type', is: 'SPOT' } },
  summarise({ targetId, data }) {
    const target = text(field(data, 'targetName'))
    const entry = text(field(data, 'entryPoint'))
    // The API documentation lists no entry points. Only a single word is used as the name of a place.
    const place = /^[a-z]+$/.test(entry) ? `at the ${entry}` : entry
    if (field(data, 'type') === 'SPOT') return line(target || shortId(targetId), 'Scanned', place)
    return line(joinNonEmpty('QR code', target || shortId(targetId), 'scanned'), place)
  },
  sample: ({ between }) => {
    const spot = between(1, 12)
    return {
      targetId: `${400 + spot}`,
      data: { type: 'SPOT', targetName: `T${spot}`, entryPoint: 'door' },
    }
  },
})
