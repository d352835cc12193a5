import { defineCase, unknownEventType } from '../rehearsal/define.ts'

export default defineCase({
  id: 'G6',
  group: 'events',
  title: 'An unknown event type',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept, without an effect',
  why: 'A new event type must not be processed as another one, which could charge or change something by mistake. An error can make the service disable the webhook.',
  fix: 'dispatch-on-body',
  needsObserver: true,
  variants: (builder) => [
    {
      name: 'unknown type',
      steps: [builder.deliver(builder.event(unknownEventType))],
      expect: 'accept',
      effects: { exactly: 0 },
    },
  ],
})
