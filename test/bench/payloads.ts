import { createHmac, randomUUID } from 'node:crypto'

/** `dozen`: each delivery has twelve findings, because the service deviates from its documentation in every delivery in the same way. */
export type Deviation = 'none' | 'dozen'

export interface Order {
  readonly request: string
  /** Size of the headers (names and values) and the body. */
  readonly rawBytes: number
}

const uuidTail = randomUUID().slice(8)

/** Returns a function that builds the n-th request: a signed ORDER_PLACED delivery with a body of about 520 bytes, different from all others. */
export function orders(
  path: string,
  secret: string,
  deviation: Deviation = 'none',
): (n: number) => Order {
  const deviates = deviation === 'dozen'
  const brand = 'X-Service-'
  return (n) => {
    const target = `${n.toString(16).padStart(8, '0')}${uuidTail}`
    const now = new Date().toISOString()
    const common = {
      type: 'ORDER_PLACED',
      targetUuid: target,
      locationUuid: '6f0c2a52-3a7e-4a86-9b1c-0d6f0d2b9a11',
      locationName: 'Pier 9',
      locationId: deviates ? 9 : '9',
      createdAt: deviates ? now.replace(/\.\d+/, '') : now,
    }
    const data = {
      created: now,
      orderName: `A-${n}`,
      zoneName: 'Patio',
      spotName: `T${n % 12}`,
      zoneGroupName: 'Outside',
      tabUuid: `${uuidTail.slice(1, 9)}${target.slice(8, -8)}${target.slice(0, 8)}`,
      itemNames: ['Pale Ale', 'Fries'],
    }
    const rest = deviates
      ? {
          sched: false,
          total: '42.50',
          tags: ['draught', 'vegetarian'],
          channel: 'app',
          note: null,
        }
      : {
          scheduled: false,
          zoneTags: ['outside'],
          total: 42.5,
          itemTags: ['draught', 'vegetarian'],
          categoryNames: ['Drinks', 'Food'],
        }
    const body = JSON.stringify({ ...common, data: { ...data, ...rest } })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const head = [
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      `User-Agent: ${deviates ? 'Service/1.0' : 'Service-WebhookAgent/1.0'}`,
      `${brand}Event-Type: ORDER_PLACED`,
      ...(deviates ? [] : [`${brand}Event-Target-UUID: ${target}`]),
      `${brand}Application-ID: app-pier-9`,
      `${brand}Signature: ${signature}`,
      `Content-Length: ${body.length}`,
    ]
    return {
      request: `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`,
      // Without ': ' of each header.
      rawBytes: head.reduce((sum, line) => sum + line.length - 2, 0) + body.length,
    }
  }
}
