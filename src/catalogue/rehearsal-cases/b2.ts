import { bodyWith, defineCase } from '../rehearsal/define.ts'

const characters = [
  { name: 'é', text: '"Café"' },
  { name: 'an emoji', text: '"Stout \u{1F37A}"' },
  { name: 'U+2028', text: '"first line\u2028second line"' },
] as const

export default defineCase({
  id: 'B2',
  group: 'body',
  title: 'Characters outside ASCII',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Take the raw request body as a string, before any JSON parsing.',
  expected: 'Accept',
  why: 'A body that is decoded in another encoding, or escaped again, has another signature. Orders of guests whose names have an accent are lost.',
  fix: 'verify-raw-body',
  variants: (builder) =>
    characters.map(({ name, text }) => {
      const event = builder.event()
      const body = bodyWith(event, { orderName: text })
      return { name, steps: [builder.deliver(event, { body, signed: true })], expect: 'accept' }
    }),
})
