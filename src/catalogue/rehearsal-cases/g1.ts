import { eventTypes } from '../catalogue.ts'
import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'G1',
  group: 'events',
  title: 'Each event type',
  level: 'MUST',
  basis: 'Event catalogue',
  expected: 'Accept',
  why: 'An event type that is not accepted is lost: the API documentation does not describe retries.',
  fix: 'tolerate-fields',
  variants: (builder) =>
    eventTypes.map(({ type }) => ({
      name: type,
      steps: [builder.deliver(builder.event(type))],
      expect: 'accept',
    })),
})
