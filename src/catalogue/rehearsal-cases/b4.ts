import { defineCase } from '../rehearsal/define.ts'

const layouts: readonly {
  readonly name: string
  readonly write: (value: unknown) => string
}[] = [
  { name: 'leading and trailing spaces', write: (value) => `  ${JSON.stringify(value)}  ` },
  { name: 'indented', write: (value) => JSON.stringify(value, null, 2) },
  { name: 'CRLF', write: (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\r\n') },
  { name: 'final line break', write: (value) => `${JSON.stringify(value)}\n` },
]

export default defineCase({
  id: 'B4',
  group: 'body',
  title: 'White space',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Take the raw request body as a string, before any JSON parsing.',
  expected: 'Accept',
  why: 'A handler that trims or re-serializes the body rejects every order of a sender that formats its JSON differently.',
  fix: 'verify-raw-body',
  variants: (builder) =>
    layouts.map(({ name, write }) => {
      const event = builder.event()
      return {
        name,
        steps: [builder.deliver(event, { body: write(event), signed: true })],
        expect: 'accept',
      }
    }),
})
