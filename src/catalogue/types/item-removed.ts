import { defineEventType, leaves, row } from '../define.ts'
import { field, text } from '../payload.ts'

export default defineEventType({
  type: 'ITEM_REMOVED',
  label: 'Item removed',
  fired: 'Fired when an item is removed from an order. `targetUuid` = item UUID.',
  target: { uuid: 'itemUuid', id: null },
  hasData: 'yes',
  data: [
    row('orderId', 'string', 'Order the item was removed from.', 'Order', 'id'),
    leaves('item', row('name', 'string', 'Item name.', 'Item', 'text')),
    leaves('product', row('productName', 'string', 'Product name.', 'Product name', 'text')),
    row('quantity', 'number', 'Quantity removed.', 'Quantity', 'count'),
    row('price', 'number', 'Item price.', 'Price', 'amount'),
    leaves('text', row('tags', 'string[]', 'Tags of the item.', 'Tags', 'tags')),
    row('tabId', 'string', 'Tab the item was removed from.', 'Tab ID', 'id'),
    row('tabUuid', 'string', 'UUID of that tab.', 'Tab', 'id'),
  ],
  view: {
    icon: 'circle-minus',
    stamp: { word: 'Removed', sign: '−' },
    heading: ['data.name', 'data.productName'],
    subheading: ['data.productName'],
    amount: { of: 'data.price', times: 'data.quantity' },
    parts: [],
  },
  facts: {
    amount: 'data.price',
    items: ['data.name', 'data.productName'],
    tab: ['data.tabUuid', 'data.tabId'],
    order: ['data.orderId'],
    others: ['targetUuid'],
  },
  summarise({ data }) {
    const name = text(field(data, 'name')) || text(field(data, 'productName')) || 'Item'
    const quantity = text(field(data, 'quantity'))
    return `${quantity === '' ? name : `${quantity} × ${name}`} removed`
  },
  sample: ({ uuid, between }) => ({
    targetUuid: uuid(),
    data: {
      orderId: `${between(5000, 5999)}`,
      name: 'Fries',
      productName: 'Fries',
      quantity: 1,
      price: 6.5,
      tags: ['vegetarian'],
      tabId: `${between(7000, 7999)}`,
      tabUuid: uuid(),
    },
  }),
})
