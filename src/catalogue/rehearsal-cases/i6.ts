import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I6',
  group: 'effects',
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
      {
        name: 'closed, then sent again',
        steps: [
          builder.deliver(event, { transmission: { stopAfter: body.byteLength } }),
          builder.deliver(event),
        ],
        expect: ['none', 'accept'],
        effects: { exactly: 1 },
      },
    ]
  },
})
