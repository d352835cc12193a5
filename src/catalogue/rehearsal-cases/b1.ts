import { bodyWith, defineCase } from '../rehearsal/define.ts'

const numbers = ['12.50', '12.0', '1.25e1', '9007199254740993'] as const

export default defineCase({
  id: 'B1',
  group: 'body',
  title: 'Number forms',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Take the raw request body as a string, before any JSON parsing.',
  expected: 'Accept',
  why: 'A number that is parsed and written again loses a zero, its exponent or its last digits. The signature then never matches, and the order is lost.',
  fix: 'verify-raw-body',
  variants: (builder) =>
    numbers.map((total) => {
      const event = builder.event()
      return {
        name: total,
        steps: [builder.deliver(event, { body: bodyWith(event, { total }), signed: true })],
        expect: 'accept',
      }
    }),
})
