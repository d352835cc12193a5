import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S2',
  group: 'signature',
  title: 'No signature',
  level: 'MUST',
  basis: 'Signature verification',
  quote:
    'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  expected: 'Reject with 4xx',
  why: 'A handler that verifies only if there is a signature lets anyone place an order without one. One that crashes can be stopped by any request.',
  fix: 'require-secret',
  hostile: true,
  needsSecret: true,
  variants: (builder) => [
    {
      name: 'absent',
      steps: [builder.deliver(builder.event(), { signature: null })],
      expect: 'reject',
    },
    {
      name: 'empty',
      steps: [builder.deliver(builder.event(), { signature: '' })],
      expect: 'reject',
    },
  ],
})
