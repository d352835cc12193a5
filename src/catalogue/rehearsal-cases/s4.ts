import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S4',
  group: 'signature',
  title: 'Signed with an empty or unconfigured key',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Compute HMAC-SHA256 of the body with the secret as key and hex-encode the result.',
  expected: 'Reject with 4xx',
  why: 'A handler whose secret is not configured computes with an empty key or the text "undefined". Anyone can compute that signature and forge an order.',
  fix: 'require-secret',
  hostile: true,
  needsSecret: true,
  variants: (builder) =>
    ['', 'undefined', 'null', 'None'].map((key) => {
      const event = builder.event()
      return {
        name: key === '' ? 'an empty key' : `the key "${key}"`,
        steps: [
          builder.deliver(event, { signature: builder.sign(JSON.stringify(event), { key }) }),
        ],
        expect: 'reject',
      }
    }),
})
