import { bodyWith, defineCase } from '../rehearsal/define.ts'

const escapes = [
  { name: String.raw`\u00e9`, text: String.raw`"Caf\u00e9"` },
  { name: 'an escaped surrogate pair', text: String.raw`"Stout \ud83c\udf7a"` },
  { name: String.raw`\/`, text: String.raw`"1\/2 pint"` },
  { name: '<&>', text: '"<Fish & Chips>"' },
] as const

export default defineCase({
  id: 'B3',
  group: 'body',
  title: 'Escapes in strings',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Take the raw request body as a string, before any JSON parsing.',
  expected: 'Accept',
  why: 'Serializers disagree on what they escape: Go writes < as an escape, PHP every slash. A re-serialized body has another signature, and the order is lost.',
  fix: 'verify-raw-body',
  variants: (builder) =>
    escapes.map(({ name, text }) => {
      const event = builder.event()
      const body = bodyWith(event, { orderName: text })
      return { name, steps: [builder.deliver(event, { body, signed: true })], expect: 'accept' }
    }),
})
