import { defineCase } from '../rehearsal/define.ts'

export default [
  defineCase({
    id: 'P1',
    group: 'precheck',
    title: 'A valid delivery, and one with a random signature',
    level: 'MUST',
    basis: 'Signature verification',
    quote:
      'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
    expected: 'Accept the first, reject the second',
    why: 'If a handler responds to both in the same way, no other result is meaningful.',
    fix: 'verify-raw-body',
    variants: (builder) => [
      {
        name: 'valid',
        steps: [builder.deliver(builder.event())],
        expect: 'accept',
        effects: { exactly: 1 },
      },
      ...(builder.hasSecret
        ? [
            {
              name: 'random signature',
              steps: [builder.deliver(builder.event(), { signature: builder.randomHex(64) })],
              expect: 'reject' as const,
              effects: { exactly: 0 },
            },
          ]
        : []),
    ],
  }),
]
