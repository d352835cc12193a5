import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S7',
  group: 'signature',
  title: 'The signature in upper case',
  level: 'INFO',
  basis: null,
  expected: 'Accept or reject, without a server error',
  why: 'The API documentation does not say whether the digits are lower case. Either choice is safe, but any request can trigger a server error.',
  fix: 'compare-signature',
  needsSecret: true,
  variants: (builder) => {
    const event = builder.event()
    const signature = builder.sign(JSON.stringify(event)).toUpperCase()
    return [
      {
        name: 'upper case',
        steps: [builder.deliver(event, { signature })],
        expect: 'no-server-error',
      },
    ]
  },
})
