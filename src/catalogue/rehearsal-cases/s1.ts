import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S1',
  group: 'signature',
  title: 'A changed body',
  level: 'MUST',
  basis: 'Signature verification',
  quote:
    'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  expected: 'Reject with 4xx',
  why: 'Anyone who can change a digit in transit can change the total of an order.',
  fix: 'verify-raw-body',
  hostile: true,
  needsSecret: true,
  variants: (builder) => {
    const changed = (name: string, change: (text: string) => string) => {
      const event = builder.event()
      return {
        name,
        steps: [builder.deliver(event, { body: change(JSON.stringify(event)) })],
        expect: 'reject' as const,
      }
    }
    return [
      changed('one byte flipped', (text) => text.replace('"total":15.5', '"total":95.5')),
      changed('a space appended', (text) => `${text} `),
    ]
  },
})
