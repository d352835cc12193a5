import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'I5',
  group: 'effects',
  title: 'A forged copy before the genuine delivery',
  level: 'MUST',
  basis: 'Signature verification',
  quote:
    'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  expected: 'Reject the copy, accept the genuine delivery, with one effect',
  why: 'A handler that remembers events before it verifies them can be made to discard genuine orders: a forged copy, sent first, is enough.',
  fix: 'verify-first',
  needsSecret: true,
  needsObserver: true,
  variants: (builder) => {
    const event = builder.event()
    return [
      {
        name: 'forged copy first',
        steps: [
          builder.deliver(event, { signature: builder.randomHex(64) }),
          builder.deliver(event),
        ],
        expect: ['reject', 'accept'],
        effects: { exactly: 1 },
      },
    ]
  },
})
