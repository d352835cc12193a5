import { defineCase, unknownEventType } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S13',
  group: 'signature',
  title: 'An event type header that contradicts the signed body',
  level: 'SHOULD',
  basis: 'Delivery headers',
  quote:
    'Present only if a secret is configured: hex-encoded SHA-256 HMAC of the request body keyed with the secret.',
  expected: 'Follow the body, or reject',
  why: 'Only the body is signed. Anyone who repeats a genuine event with another header can turn a closed tab into a placed order.',
  fix: 'dispatch-on-body',
  hostile: true,
  needsSecret: true,
  needsObserver: true,
  variants: (builder) => [
    {
      name: 'unknown type in the body, ORDER_PLACED in the header',
      steps: [builder.deliver(builder.event(unknownEventType), { eventType: 'ORDER_PLACED' })],
      expect: 'no-server-error',
      effects: { exactly: 0 },
    },
    {
      name: 'ORDER_PLACED in the body, GUEST_UNSUBSCRIBED in the header',
      steps: [builder.deliver(builder.event('ORDER_PLACED'), { eventType: 'GUEST_UNSUBSCRIBED' })],
      expect: 'no-server-error',
    },
  ],
})
