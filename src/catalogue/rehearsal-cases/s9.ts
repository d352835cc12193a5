import { bodyWith, defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S9',
  group: 'signature',
  title: 'The signature of the re-serialized body',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Take the raw request body as a string, before any JSON parsing.',
  expected: 'Reject with 4xx',
  why: 'A handler that re-serializes the parsed body verifies different bytes than it received. It rejects genuine orders whose numbers or white space are written differently.',
  fix: 'verify-raw-body',
  hostile: true,
  needsSecret: true,
  variants: (builder) => {
    const reserialized = (name: string, text: string) => {
      const parsed: unknown = JSON.parse(text)
      const event = Object(parsed)
      return {
        name,
        steps: [
          builder.deliver(event, { body: text, signature: builder.sign(JSON.stringify(parsed)) }),
        ],
        expect: 'reject' as const,
      }
    }
    return [
      reserialized('spaces', JSON.stringify(builder.event(), null, 2)),
      reserialized('numbers', bodyWith(builder.event(), { total: '15.50' })),
      reserialized('escapes', bodyWith(builder.event(), { orderName: String.raw`"caf\u00e9"` })),
    ]
  },
})
