import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I6',
  group: 'effects',
  title: 'The connection is closed before the response',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept the repetition, with one effect',
  why: 'A sender that gets no response sends again. A handler that does not expect that charges the order twice, or neither time.',
  fix: 'deduplicate',
  needsOracle: true,
  variants: (kit) => {
    const event = kit.event()
    const { body } = kit.deliver(event)
    return [
      {
        name: 'closed, then sent again',
        steps: [
          kit.deliver(event, { transmission: { stopAfter: body.byteLength } }),
          kit.deliver(event),
        ],
        expect: ['none', 'accept'],
        effects: { exactly: 1 },
      },
    ]
  },
})
