import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I3',
  group: 'effects',
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
      {
        name: 'other white space',
        steps: [
          builder.deliver(event),
          builder.deliver(event, { body: JSON.stringify(event, null, 2), signed: true }),
        ],
        expect: 'no-server-error',
        effects: { exactly: 1 },
      },
    ]
  },
})
