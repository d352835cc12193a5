import { bodyWith, defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'B5',
  group: 'body',
  title: 'Order of keys',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Take the raw request body as a string, before any JSON parsing.',
  expected: 'Accept',
  why: 'JavaScript moves keys that look like integers to the front, and other languages sort all keys. A re-serialized body has another signature, and the order is lost.',
  fix: 'verify-raw-body',
  variants: (builder) => {
    const reversed = builder.event()
    const integers = builder.event()
    return [
      {
        name: 'reversed keys',
        steps: [
          builder.deliver(reversed, {
            body: JSON.stringify(Object.fromEntries(Object.entries(reversed).toReversed())),
            signed: true,
          }),
        ],
        expect: 'accept',
      },
      {
        name: 'keys that look like integers',
        steps: [
          builder.deliver(integers, {
            body: bodyWith(integers, { '10': '"ten"', '2': '"two"', '1': '"one"' }),
            signed: true,
          }),
        ],
        expect: 'accept',
      },
    ]
  },
})
