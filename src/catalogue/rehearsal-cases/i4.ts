import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I4',
  group: 'effects',
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
      {
        name: 'two products',
        steps: [
          builder.deliver(builder.event('PRODUCT_UPDATED')),
          builder.deliver(builder.event('PRODUCT_UPDATED')),
        ],
        expect: 'accept',
        effects: { recorded: true },
      },
      {
        name: 'one product, 1 ms later',
        steps: [builder.deliver(first), builder.deliver({ ...first, createdAt })],
        expect: 'accept',
        effects: { asVariant: 'two products' },
      },
      {
        name: 'two orders at the same time',
        steps: [
          builder.deliver(order),
          builder.deliver(builder.event('ORDER_PLACED', { createdAt: order.createdAt })),
        ],
        expect: 'accept',
        effects: { exactly: 2 },
      },
      {
        name: 'two guests',
        steps: [
          builder.deliver(builder.event('GUEST_VERIFIED')),
          builder.deliver(builder.event('GUEST_SUBSCRIBED')),
        ],
        expect: 'accept',
        effects: { recorded: true },
      },
      {
        name: 'one guest, two types at the same time',
        steps: [
          builder.deliver(guest),
          builder.deliver(
            builder.event('GUEST_SUBSCRIBED', {
              targetUuid: guest.targetUuid,
              createdAt: guest.createdAt,
            }),
          ),
        ],
        expect: 'accept',
        effects: { asVariant: 'two guests' },
      },
    ]
  },
})
