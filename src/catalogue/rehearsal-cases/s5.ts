import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S5',
  group: 'signature',
  title: 'Malformed signatures',
  level: 'MUST',
  basis: 'Signature verification',
  quote:
    'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  expected: 'Reject with 4xx, and keep running',
  why: 'Constant-time comparisons throw when the lengths differ. Any request can then crash the handler, and the orders that follow are lost.',
  fix: 'compare-signature',
  hostile: true,
  needsSecret: true,
  variants: (builder) => {
    const malformed = (name: string, change: (valid: string) => string) => {
      const event = builder.event()
      return {
        name,
        steps: [builder.deliver(event, { signature: change(builder.sign(JSON.stringify(event))) })],
        expect: 'reject' as const,
        serverError: 'warn' as const,
      }
    }
    return [
      malformed('the first 8 characters', (valid) => valid.slice(0, 8)),
      malformed('the first 63 characters', (valid) => valid.slice(0, 63)),
      malformed('65 characters', () => builder.randomHex(65)),
      malformed('64 characters that are not hexadecimal', () => 'z'.repeat(64)),
      // The length of a signature, once in characters and once in bytes.
      malformed('64 characters outside ASCII', () => '\u00e9'.repeat(64)),
      malformed('32 characters outside ASCII', () => '\u00c3\u00a9'.repeat(32)),
    ]
  },
})
