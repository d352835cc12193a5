import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I1',
  group: 'effects',
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
      {
        name: 'the same bytes',
        steps: [builder.deliver(event), builder.deliver(event)],
        expect: 'accept',
        effects: { exactly: 1 },
      },
      {
        name: 'the same bytes after another delivery',
        steps: [
          builder.deliver(earlier),
          builder.deliver(builder.event()),
          builder.deliver(earlier),
        ],
        expect: 'accept',
        effects: { exactly: 2 },
      },
    ]
  },
})
