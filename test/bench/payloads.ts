import { createHmac, randomUUID } from 'node:crypto'

/** Builds request bytes in advance: signed ORDER_PLACED deliveries with unique ids. */
export function signedOrders(
  count: number,
  path: string,
  secret: string,
  host = '127.0.0.1',
): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const target = randomUUID()
    const now = new Date().toISOString()
    const body = Buffer.from(
      JSON.stringify({
        type: 'ORDER_PLACED',
        targetUuid: target,
        locationUuid: '6f0c2a52-3a7e-4a86-9b1c-0d6f0d2b9a11',
        locationName: 'Pier 9',
        locationId: '9',
        createdAt: now,
        data: {
          created: now,
          orderName: `A-${index}`,
          scheduled: false,
          zoneName: 'Patio',
          spotName: `T${index % 12}`,
          zoneTags: ['outside'],
          zoneGroupName: 'Outside',
          total: 42.5,
          tabUuid: randomUUID(),
          itemNames: ['Pale Ale', 'Fries'],
          itemTags: ['draught', 'vegetarian'],
          categoryNames: ['Drinks', 'Food'],
        },
      }),
    )
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `User-Agent: Service-WebhookAgent/1.0\r\nX-Service-Event-Type: ORDER_PLACED\r\n` +
      `X-Service-Event-Target-UUID: ${target}\r\nX-Service-Application-ID: app-pier-9\r\n` +
      `X-Service-Signature: ${signature}\r\nContent-Length: ${body.byteLength}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), body])
  })
}
