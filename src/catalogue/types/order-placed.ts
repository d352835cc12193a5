import { defineEventType } from '../define.ts'
import { amount, field, line, text } from '../payload.ts'

export default defineEventType({
  type: 'ORDER_PLACED',
  label: 'Order placed',
  fired: 'Fired when an order is placed at a location. `targetUuid` = order UUID.',
  target: { uuid: 'orderUuid', id: null },
  hasData: 'yes',
  data: [
    {
      key: 'created',
      type: 'string',
      description: 'ISO 8601 timestamp of order creation.',
      label: 'Created',
      format: 'time',
    },
    {
      key: 'orderName',
      type: 'string',
      description: 'Name or label of the order.',
      label: 'Order',
      format: 'text',
    },
    {
      key: 'scheduled',
      type: 'boolean',
      description: 'Whether the order is scheduled for a future time.',
      label: 'Scheduled',
      format: 'flag',
    },
    {
      key: 'zoneName',
      type: 'string',
      description: 'Zone where the order was placed.',
      label: 'Zone',
      format: 'text',
    },
    {
      key: 'spotName',
      type: 'string',
      description: 'Spot where the order was placed.',
      label: 'Spot',
      format: 'text',
    },
    {
      key: 'zoneTags',
      type: 'string[]',
      description: 'Tags of the zone.',
      label: 'Zone tags',
      format: 'tags',
    },
    {
      key: 'zoneGroupName',
      type: 'string',
      description: 'Name of the zone group.',
      label: 'Zone group',
      format: 'text',
    },
    {
      key: 'total',
      type: 'number',
      description: 'Order total including taxes and fees.',
      label: 'Total',
      format: 'amount',
    },
    {
      key: 'tabUuid',
      type: 'string',
      description: 'UUID of the tab the order belongs to.',
      label: 'Tab',
      format: 'id',
    },
    {
      key: 'itemNames',
      type: 'string[]',
      description: 'All item names in the order.',
      label: 'Items',
      format: 'tags',
    },
    {
      key: 'itemTags',
      type: 'string[]',
      description: 'All item tags the order contains.',
      label: 'Item tags',
      format: 'tags',
    },
    {
      key: 'categoryNames',
      type: 'string[]',
      description: 'All category names represented in the order.',
      label: 'Categories',
      format: 'tags',
    },
  ],
  view: {
    icon: 'receipt-text',
    heading: 'orderName',
    subheading: ['spotName', 'zoneName', 'zoneGroupName'],
    amount: 'total',
  },
  summarise({ data }) {
    const place = [text(field(data, 'spotName')), text(field(data, 'zoneName'))]
    return line(
      `Order ${text(field(data, 'orderName'))} placed`.replace('  ', ' '),
      place.filter((part) => part !== '').join(' '),
      amount(field(data, 'total')),
    )
  },
  sample: ({ now, uuid, between, pick }) => ({
    targetUuid: uuid(),
    data: {
      created: now.toISOString(),
      orderName: `A-${between(1, 99)}`,
      scheduled: false,
      zoneName: 'Patio',
      spotName: `T${between(1, 12)}`,
      zoneTags: ['outside'],
      zoneGroupName: 'Outside',
      total: pick([18, 24.5, 42.5]),
      tabUuid: uuid(),
      itemNames: ['Pale Ale', 'Fries'],
      itemTags: ['draught', 'vegetarian'],
      categoryNames: ['Drinks', 'Food'],
    },
  }),
})
