import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I2',
  group: 'effects',
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
      {
        name: '10 at once',
        steps: [Array.from({ length: 10 }, () => builder.deliver(event))],
        expect: 'no-server-error',
        effects: { exactly: 1 },
      },
    ]
  },
})
