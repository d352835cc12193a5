import { defineCase } from '../rehearsal/define.ts'

const requests = 20
const rejectedEvery = 4

export default defineCase({
  id: 'T6',
  group: 'transport',
  title: '20 requests on one connection',
  level: 'SHOULD',
  basis: null,
  expected: 'Each request gets its own response',
  why: 'A handler that responds before it has read the body leaves the rest of it on the connection, and the next order is read from its middle.',
  fix: 'transport',
  variants: (builder) => {
    const rejected = Array.from(
      { length: requests },
      (_, index) => builder.hasSecret && index % rejectedEvery === rejectedEvery - 1,
    )
    return [
      {
        name: '20 in a row',
        steps: rejected.map((forged) =>
          builder.deliver(builder.event(), {
            keepAlive: true,
            ...(forged ? { signature: builder.randomHex(64) } : {}),
          }),
        ),
        expect: rejected.map((forged) => (forged ? 'reject-or-acknowledge' : 'accept')),
      },
    ]
  },
})
