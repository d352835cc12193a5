import { casesOf, verification } from '../rehearsal/define.ts'

export default casesOf('precheck', [
  {
    id: 'P1',
    title: 'A valid delivery, and one with a random signature',
    level: 'MUST',
    ...verification.compare,
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
  },
])
