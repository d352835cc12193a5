/** Returns an ORDER_PLACED body of about this many MiB, with a searchable text in the middle and at the end. */
export function bigOrder(mib: number): { text: string; needle: string; last: string } {
  const needle = 'needle in the haystack'
  const last = '"the very last"'
  const items: object[] = []
  const each = 100
  const count = Math.floor((mib * 1024 * 1024) / (each + 22))
  for (let n = 0; n < count; n++) {
    const name = n === Math.floor(count / 2) ? needle : `item ${n}`
    items.push({ n, name: name.padEnd(40, '.'), price: n / 4, tags: ['draught', 'é'], open: true })
  }
  const text = JSON.stringify({
    type: 'ORDER_PLACED',
    targetUuid: 'order-1',
    locationName: 'Pier 9',
    createdAt: '2026-03-14T21:00:00.000Z',
    data: { orderName: 'A-17', total: 42.5, items, end: JSON.parse(last) },
  })
  return { text, needle, last }
}
