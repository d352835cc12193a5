import { randomBytes } from 'node:crypto'
import type { DeliveryItem } from '#engine/event-logs/items.ts'
import { hostile } from './hostile.ts'
import { madeUpDelivery } from './made-up-delivery.ts'

const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const shellWords = `'; touch canary; ' "$HOME" \`touch canary\` $(touch canary) \\ \\n %s ! * ~ # & | < >`
/** Text as received from the socket: UTF-8 bytes, one character per byte. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Deliveries that are difficult to re-send, oldest first. */
export function replayedDeliveries(): DeliveryItem[] {
  return [
    madeUpDelivery(1, '{"type":"ORDER_PLACED","total":42.50}'),
    madeUpDelivery(2, `{"a":"${shellWords}",\n"b":"é 世 🍺"}\n\n`),
    madeUpDelivery(3, hostile('text')),
    madeUpDelivery(4, every),
    madeUpDelivery(5, randomBytes(1_200_000)),
    madeUpDelivery(6, '', { headers: [['Host', 'x']] }),
    madeUpDelivery(7, '', { method: 'GET', path: '/hooks/main?a=1&a=2' }),
    madeUpDelivery(8, '@/etc/hostname', { headers: [] }),
    madeUpDelivery(9, '-x'),
    madeUpDelivery(10, '@-\n'),
    madeUpDelivery(11, 'x'.repeat(200_000), { method: 'PUT' }),
    madeUpDelivery(12, '{}', {
      headers: [
        ['host', 'elsewhere.example'],
        ['connection', 'keep-alive, x-hop'],
        ['ACCEPT', 'text/plain'],
        ['x-MiXeD', 'one'],
        ['X-Mixed', 'two'],
        ['X-Empty', ''],
        ['X-Words', shellWords],
        ['X-Equals', '=1'],
        ['X-At', '@/etc/hostname'],
        ['X-Colon', ':=@x;'],
        ['X-Escaped', 'c:\\:temp\\'],
        ['X-Utf8', asLatin1('é 世')],
        ['X-Byte', 'a\xe4b\x80'],
        ['X-Tab', 'a\tb'],
        ["-x'$`|&", '1'],
        ['Content-Type', 'application/json; charset="utf-8"'],
        ['Content-Length', '2'],
        ['Expect', '100-continue'],
        ['User-Agent', 'Service-WebhookAgent/1.0'],
      ],
    }),
    madeUpDelivery(13, 'x', { method: "P$H'`x`|&" }),
    madeUpDelivery(14, 'x', {
      path: "/a'$(touch canary)`touch canary`/../b//c?x[]={1}&y=%zz%20|\xe4#z",
    }),
    madeUpDelivery(15, 'x', { path: '@evil.example/hooks' }),
    madeUpDelivery(16, 'x', { arrival: 'malformed' }),
    madeUpDelivery(17, '', {}, { omitted: hostile('omitted') }),
    madeUpDelivery(18, 'x', { method: 'POST /evil HTTP/1.1\r\n' }),
    madeUpDelivery(19, 'last', {
      type: hostile('type'),
      headers: [
        ['X-Split', 'a\r\nX-Evil: 1'],
        ['X Name', '1'],
        ['@x', '1'],
      ],
      trailers: [[hostile('trailer'), '']],
    }),
  ]
}
