import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S6',
  group: 'signature',
  title: 'The valid signature followed by other characters',
  level: 'MUST',
  basis: 'Signature verification',
  quote:
    'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  expected: 'Reject with 4xx',
  why: 'Hex decoders stop silently at the first invalid character. A comparison that ignores part of the signature is one step away from accepting a forged order.',
  fix: 'compare-signature',
  hostile: true,
  needsSecret: true,
  variants: (builder) =>
    [
      { name: 'letters', garbage: 'zz' },
      { name: 'another signature', garbage: `, ${builder.randomHex(64)}` },
    ].map(({ name, garbage }) => {
      const event = builder.event()
      return {
        name: `followed by ${name}`,
        steps: [
          builder.deliver(event, { signature: `${builder.sign(JSON.stringify(event))}${garbage}` }),
        ],
        expect: 'reject',
      }
    }),
})
