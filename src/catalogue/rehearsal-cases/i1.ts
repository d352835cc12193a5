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
  needsOracle: true,
  variants: (kit) => {
    const event = kit.event()
    const earlier = kit.event()
    return [
      {
        name: 'the same bytes',
        steps: [kit.deliver(event), kit.deliver(event)],
        expect: 'accept',
        effects: { exactly: 1 },
      },
      {
        name: 'the same bytes after another delivery',
        steps: [kit.deliver(earlier), kit.deliver(kit.event()), kit.deliver(earlier)],
        expect: 'accept',
        effects: { exactly: 2 },
      },
    ]
  },
})
