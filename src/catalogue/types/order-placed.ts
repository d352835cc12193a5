import { defineEventType, leaves, row } from '../define.ts'
import { field, line, someOf, text } from '../payload.ts'

export default defineEventType({
  type: 'ORDER_PLACED',
  label: 'Order placed',
  fired: 'Fired when an order is placed at a location. `targetUuid` = order UUID.',
  target: { uuid: 'orderUuid', id: null },
  hasData: 'yes',
  data: [
    row('created', 'string', 'ISO 8601 timestamp of order creation.', 'Created', 'time'),
    leaves('name', row('orderName', 'string', 'Name or label of the order.', 'Order', 'text')),
    row(
      'scheduled',
      'boolean',
      'Whether the order is scheduled for a future time.',
      'Scheduled',
      'flag',
    ),
    leaves('text', row('zoneName', 'string', 'Zone where the order was placed.', 'Zone', 'text')),
    leaves('text', row('spotName', 'string', 'Spot where the order was placed.', 'Spot', 'text')),
    leaves('text', row('zoneTags', 'string[]', 'Tags of the zone.', 'Zone tags', 'tags')),
    leaves('text', row('zoneGroupName', 'string', 'Name of the zone group.', 'Zone group', 'text')),
    row('total', 'number', 'Order total including taxes and fees.', 'Total', 'amount'),
    row('tabUuid', 'string', 'UUID of the tab the order belongs to.', 'Tab', 'id'),
    leaves('item', row('itemNames', 'string[]', 'All item names in the order.', 'Items', 'tags')),
    leaves(
      'text',
      row('itemTags', 'string[]', 'All item tags the order contains.', 'Item tags', 'tags'),
    ),
    leaves(
      'text',
      row(
        'categoryNames',
        'string[]',
        'All category names represented in the order.',
        'Categories',
        'tags',
      ),
    ),
  ],
  view: {
    icon: 'receipt-text',
    stamp: { word: 'Order placed', sign: null },
    heading: ['data.orderName'],
    subheading: ['data.spotName', 'data.zoneName', 'data.zoneGroupName'],
    amount: { of: 'data.total', times: null },
    parts: [
      {
        kind: 'choice',
        of: 'data.scheduled',
        cases: { true: 'Scheduled for a future time.' },
        other: null,
      },
    ],
  },
  facts: {
    spot: 'data.spotName',
    zone: 'data.zoneName',
    amount: 'data.total',
    items: ['data.itemNames'],
    tab: ['data.tabUuid'],
    order: ['targetUuid'],
    orderName: 'data.orderName',
  },
  summarise({ data }) {
    const name = text(field(data, 'orderName'))
    return line(
      text(field(data, 'spotName')),
      name === '' ? 'Order placed' : `Order ${name}`,
      someOf(field(data, 'itemNames')),
      field(data, 'scheduled') === true ? 'scheduled' : '',
    )
  },
  sample: ({ now, uuid, between }) => ({
    targetUuid: uuid(),
    data: {
      created: now.toISOString(),
      orderName: `A-${between(1, 99)}`,
      scheduled: false,
      zoneName: 'Patio',
      spotName: `T${between(1, 4)}`,
      zoneTags: ['outside'],
      zoneGroupName: 'Outside',
      total: 15.5,
      tabUuid: uuid(),
      itemNames: ['Pale Ale', 'Fries'],
      itemTags: ['draught', 'vegetarian'],
      categoryNames: ['Drinks', 'Food'],
    },
  }),
})
