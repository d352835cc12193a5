import { casesOf, verification, variant } from '../rehearsal/define.ts'

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
      variant('valid', [builder.deliver(builder.event())], 'accept', { effects: { exactly: 1 } }),
      ...(builder.hasSecret
        ? [
            variant(
              'random signature',
              [builder.deliver(builder.event(), { signature: builder.randomHex(64) })],
              'reject',
              { effects: { exactly: 0 } },
            ),
          ]
        : []),
    ],
  },
])
