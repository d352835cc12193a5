import { defineEventType, leaves, row } from '../define.ts'
import { field, joinNonEmpty, line, text } from '../payload.ts'

export default defineEventType({
  type: 'OPEN_TAB',
  label: 'Tab opened',
  fired: 'Fired when a tab is opened at a location. `targetUuid` = tab UUID.',
  target: { uuid: 'tabUuid', id: null },
  hasData: 'contradictory',
  data: [
    leaves('name', row('name', 'string', 'Tab name.', 'Tab', 'text')),
    leaves('text', row('spotName', 'string', 'Spot where the tab was opened.', 'Spot', 'text')),
    row('total', 'number', 'Current tab total.', 'Total', 'amount'),
    leaves(
      'text',
      row(
        'openedFrom',
        'string',
        'Context in which the tab was opened. Known values: `SERVICE_MENU`, `SERVER_TAB`.',
        'Opened from',
        'text',
        ['SERVICE_MENU', 'SERVER_TAB'],
      ),
    ),
  ],
  view: {
    icon: 'door-open',
    stamp: { word: 'Tab opened', sign: null },
    heading: ['data.name'],
    subheading: ['data.spotName', 'locationName'],
    amount: { of: 'data.total', times: null },
    parts: [],
  },
  facts: {
    spot: 'data.spotName',
    amount: 'data.total',
    tab: ['targetUuid'],
    tabName: 'data.name',
  },
  summarise({ data }) {
    const from = text(field(data, 'openedFrom')).toLowerCase().replaceAll('_', ' ')
    return line(
      text(field(data, 'spotName')),
      joinNonEmpty('Tab', text(field(data, 'name')), 'opened'),
      from && `from ${from}`,
    )
  },
  sample: ({ uuid, between, pick, brand }) => ({
    targetUuid: uuid(),
    data: {
      name: pick(['Miller', 'Okafor', 'Lindqvist']),
      spotName: `T${between(1, 12)}`,
      total: 0,
      openedFrom: pick([`${brand.toUpperCase()}_MENU`, 'SERVER_TAB']),
    },
  }),
})
