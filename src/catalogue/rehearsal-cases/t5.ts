import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T5',
  group: 'transport',
  title: 'A body that is cut short',
  level: 'SHOULD',
  basis: 'RFC 9112',
  expected: 'No effect, and keep running',
  why: 'Half an order is not an order. A handler that processes a partial body stores wrong totals.',
  fix: 'transport',
  hostile: true,
  needsObserver: true,
  variants: (builder) => {
    const event = builder.event()
    const { body } = builder.deliver(event)
    return [
      {
        name: 'half of the body',
        steps: [builder.deliver(event, { transmission: { stopAfter: body.byteLength >> 1 } })],
        expect: 'none',
        effects: { exactly: 0 },
      },
    ]
  },
})
