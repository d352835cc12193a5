import { randomBytes } from 'node:crypto'
import type { DeliveryItem } from '#engine/event-logs/items.ts'
import { hostile } from './hostile.ts'
import { sampleItem } from './sample-item.ts'

const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const shellWords = `'; touch canary; ' "$HOME" \`touch canary\` $(touch canary) \\ \\n %s ! * ~ # & | < >`
/** Text as read from the socket: one character per UTF-8 byte. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Deliveries that are difficult to send again, oldest first. */
export function replayedDeliveries(): DeliveryItem[] {
  return [
    sampleItem(1, '{"type":"ORDER_PLACED","total":42.50}'),
    sampleItem(2, `{"a":"${shellWords}",\n"b":"é 世 🍺"}\n\n`),
    sampleItem(3, hostile('text')),
    sampleItem(4, every),
    sampleItem(5, randomBytes(1_200_000)),
    sampleItem(6, '', { headers: [['Host', 'x']] }),
    sampleItem(7, '', { method: 'GET', path: '/hooks/main?a=1&a=2' }),
    sampleItem(8, '@/etc/hostname', { headers: [] }),
    sampleItem(9, '-x'),
    sampleItem(10, '@-\n'),
    sampleItem(11, 'x'.repeat(200_000), { method: 'PUT' }),
    sampleItem(12, '{}', {
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
    sampleItem(13, 'x', { method: "P$H'`x`|&" }),
    sampleItem(14, 'x', {
      path: "/a'$(touch canary)`touch canary`/../b//c?x[]={1}&y=%zz%20|\xe4#z",
    }),
    sampleItem(15, 'x', { path: '@evil.example/hooks' }),
    sampleItem(16, 'x', { arrival: 'malformed' }),
    sampleItem(17, '', {}, { omitted: hostile('omitted') }),
    sampleItem(18, 'x', { method: 'POST /evil HTTP/1.1\r\n' }),
    sampleItem(19, 'last', {
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
