import { RecordMasker } from '#engine/masking/record-masker.ts'
import { exported } from '../support/masking.ts'
import { randomUUID, createHmac } from 'node:crypto'
const N = 40000
const make = (i: number, extra: object) =>
  exported({
    headers: [
      ['Host', '127.0.0.1:4780'],
      ['User-Agent', 'Service-WebhookAgent/1.0'],
      ['Content-Type', 'application/json'],
      ['X-Service-Event-Type', 'ORDER_PLACED'],
      ['X-Service-Event-Target-UUID', randomUUID()],
      ['X-Service-Application-ID', 'app-1'],
      ['X-Service-Signature', createHmac('sha256', 'x').update(String(i)).digest('hex')],
      ['Content-Length', '400'],
    ],
    fields: { type: 'ORDER_PLACED', verdict: 'valid' },
    body: JSON.stringify({
      type: 'ORDER_PLACED',
      targetUuid: randomUUID(),
      locationUuid: randomUUID(),
      locationName: 'Pier 9',
      createdAt: new Date().toISOString(),
      data: {
        created: new Date().toISOString(),
        orderName: 'A-' + (i % 90),
        scheduled: false,
        zoneName: 'Patio',
        spotName: 'T' + (i % 9),
        zoneTags: ['outside'],
        total: 15.5,
        tabUuid: randomUUID(),
        itemNames: ['Pale Ale', 'Fries'],
        ...extra,
      },
    }),
  })
for (const [n, extra] of [
  ['380', {}],
  [
    '600',
    {
      a: 'hello world foo bar baz',
      note: 'please call back',
      loyaltyTier: 'gold',
      points: 1234,
      list: ['x y', 'z'],
      guestComment: 'No onions thanks a lot',
    },
  ],
] as const) {
  const list = Array.from({ length: N }, (_, i) => make(i, extra))
  for (let round = 0; round < 4; round++) {
    const m = new RecordMasker()
    const t = process.cpuUsage()
    for (const d of list) m.delivery(d)
    const u = process.cpuUsage(t)
    console.log(n, list[0]!.body.length, 'mask µs', (u.user / N).toFixed(1))
  }
}
