import { field } from '../payload.ts'
import {
  type RequestBuilder,
  type Variant,
  casesOf,
  verification,
  variant,
} from '../rehearsal/define.ts'

function pair(
  builder: RequestBuilder,
  first: string,
  second: string,
  shared: readonly string[],
): Variant[] {
  const inOrder = `${first}, ${second}`
  const steps = () => {
    const one = builder.event(first)
    const two = builder.event(second, { targetUuid: one.targetUuid })
    const same = Object.fromEntries(shared.map((key) => [key, field(one.data, key)]))
    return [
      builder.deliver(one),
      builder.deliver({ ...two, data: { ...Object(two.data), ...same } }),
    ]
  }
  return [
    variant(inOrder, steps(), 'accept', { effects: { recorded: true } }),
    variant(`${second}, ${first}`, steps().toReversed(), 'accept', {
      effects: { asVariant: inOrder },
    }),
  ]
}

const day = 24 * 60 * 60 * 1000

export default casesOf('effects', [
  {
    id: 'I1',
    title: 'A repeated delivery',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept both, with one effect for each event',
    why: 'The API documentation does not describe retries, but every sender that retries sometimes sends an event twice. A second effect charges the order twice.',
    fix: 'deduplicate',
    needsObserver: true,
    variants: (builder) => {
      const event = builder.event()
      const earlier = builder.event()
      return [
        variant('the same bytes', [builder.deliver(event), builder.deliver(event)], 'accept', {
          effects: { exactly: 1 },
        }),
        variant(
          'the same bytes after another delivery',
          [builder.deliver(earlier), builder.deliver(builder.event()), builder.deliver(earlier)],
          'accept',
          { effects: { exactly: 2 } },
        ),
      ]
    },
  },
  {
    id: 'I2',
    title: 'The same delivery 10 times at once',
    level: 'SHOULD',
    basis: null,
    expected: 'One effect',
    why: 'Deduplication that checks first and writes later lets copies through that arrive together. Each of them charges the order again.',
    fix: 'deduplicate',
    needsObserver: true,
    variants: (builder) => {
      const event = builder.event()
      return [
        variant(
          '10 at once',
          [Array.from({ length: 10 }, () => builder.deliver(event))],
          'no-server-error',
          { effects: { exactly: 1 } },
        ),
      ]
    },
  },
  {
    id: 'I3',
    title: 'The same event with other white space',
    level: 'INFO',
    basis: null,
    expected: 'One effect',
    why: 'Events have no ID. A handler that deduplicates by a hash of the body charges an order twice if the sender formats it differently the second time.',
    fix: 'deduplicate',
    needsObserver: true,
    variants: (builder) => {
      const event = builder.event()
      return [
        variant(
          'other white space',
          [
            builder.deliver(event),
            builder.deliver(event, { body: JSON.stringify(event, null, 2), signed: true }),
          ],
          'no-server-error',
          { effects: { exactly: 1 } },
        ),
      ]
    },
  },
  {
    id: 'I4',
    title: 'Different events that look alike',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept both, with two effects',
    why: 'Two changes of one product are two events, and so are two orders at the same moment. A handler that deduplicates by the target or the time alone, or without the type, discards the second, and sells at the old price or loses an order.',
    fix: 'deduplicate',
    needsObserver: true,
    variants: (builder) => {
      const first = builder.event('PRODUCT_UPDATED')
      const order = builder.event()
      const guest = builder.event('GUEST_VERIFIED')
      const createdAt = new Date(Date.parse(String(first.createdAt)) + 1).toISOString()
      // Of a type that one target often has: a second ORDER_PLACED for the same order may well be ignored.
      return [
        variant(
          'two products',
          [
            builder.deliver(builder.event('PRODUCT_UPDATED')),
            builder.deliver(builder.event('PRODUCT_UPDATED')),
          ],
          'accept',
          { effects: { recorded: true } },
        ),
        variant(
          'one product, 1 ms later',
          [builder.deliver(first), builder.deliver({ ...first, createdAt })],
          'accept',
          { effects: { asVariant: 'two products' } },
        ),
        variant(
          'two orders at the same time',
          [
            builder.deliver(order),
            builder.deliver(builder.event('ORDER_PLACED', { createdAt: order.createdAt })),
          ],
          'accept',
          { effects: { exactly: 2 } },
        ),
        variant(
          'two guests',
          [
            builder.deliver(builder.event('GUEST_VERIFIED')),
            builder.deliver(builder.event('GUEST_SUBSCRIBED')),
          ],
          'accept',
          { effects: { recorded: true } },
        ),
        variant(
          'one guest, two types at the same time',
          [
            builder.deliver(guest),
            builder.deliver(
              builder.event('GUEST_SUBSCRIBED', {
                targetUuid: guest.targetUuid,
                createdAt: guest.createdAt,
              }),
            ),
          ],
          'accept',
          { effects: { asVariant: 'two guests' } },
        ),
      ]
    },
  },
  {
    id: 'I5',
    title: 'A forged copy before the genuine delivery',
    level: 'MUST',
    ...verification.compare,
    expected: 'Reject the copy, accept the genuine delivery, with one effect',
    why: 'A handler that remembers events before it verifies them can be made to discard genuine orders: a forged copy, sent first, is enough.',
    fix: 'verify-first',
    needsSecret: true,
    needsObserver: true,
    variants: (builder) => {
      const event = builder.event()
      return [
        variant(
          'forged copy first',
          [builder.deliver(event, { signature: builder.randomHex(64) }), builder.deliver(event)],
          ['reject', 'accept'],
          { effects: { exactly: 1 } },
        ),
      ]
    },
  },
  {
    id: 'I6',
    title: 'The connection is closed before the response',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept the repetition, with one effect',
    why: 'A sender that gets no response sends the event again. A handler that does not expect this charges the order twice or not at all.',
    fix: 'deduplicate',
    needsObserver: true,
    variants: (builder) => {
      const event = builder.event()
      const { body } = builder.deliver(event)
      return [
        variant(
          'closed, then sent again',
          [
            builder.deliver(event, { transmission: { stopAfter: body.byteLength } }),
            builder.deliver(event),
          ],
          ['none', 'accept'],
          { effects: { exactly: 1 } },
        ),
      ]
    },
  },
  {
    id: 'I7',
    title: 'Events in the wrong order',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept, with the same final state as in the right order',
    why: 'The API documentation guarantees no order. A handler that requires one leaves tabs open forever or bills an item that was removed.',
    fix: 'order',
    needsObserver: true,
    variants: (builder) => [
      ...pair(builder, 'OPEN_TAB', 'CLOSE_TAB', []),
      ...pair(builder, 'ITEM_ADDED', 'ITEM_REMOVED', ['orderId', 'tabId', 'tabUuid']),
    ],
  },
  {
    id: 'I8',
    title: 'Old and future events',
    level: 'INFO',
    basis: null,
    expected: 'Accept or reject, without a server error',
    why: 'The signature does not cover the time of delivery, so a copied order stays valid forever. A limit on the age prevents that but also discards late orders: decide which matters more.',
    fix: 'deduplicate',
    variants: (builder) => {
      const { now } = builder.sample
      const at = (ms: number) => ({ createdAt: new Date(now.getTime() + ms).toISOString() })
      return [
        variant(
          '30 days ago',
          [builder.deliver(builder.event('ORDER_PLACED', at(-30 * day)))],
          'no-server-error',
        ),
        variant(
          'one day in the future',
          [builder.deliver(builder.event('ORDER_PLACED', at(day)))],
          'no-server-error',
        ),
      ]
    },
  },
])
