import { defineCase, type RequestBuilder } from '../rehearsal/define.ts'

const forms: readonly {
  readonly name: string
  readonly of: (builder: RequestBuilder, text: string) => string
}[] = [
  { name: 'base64', of: (builder, text) => builder.sign(text, { encoding: 'base64' }) },
  { name: 'the prefix "sha256="', of: (builder, text) => `sha256=${builder.sign(text)}` },
  { name: 'HMAC-SHA1', of: (builder, text) => builder.sign(text, { algorithm: 'hmac-sha1' }) },
  {
    name: 'SHA-256 without a key',
    of: (builder, text) => builder.sign(text, { algorithm: 'sha256' }),
  },
]

export default defineCase({
  id: 'S8',
  group: 'signature',
  title: 'Other algorithms and encodings',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Compute HMAC-SHA256 of the body with the secret as key and hex-encode the result.',
  expected: 'Reject with 4xx',
  why: 'Anyone can compute a hash without a key, and a handler that accepts several algorithms is as weak as the weakest of them.',
  fix: 'verify-raw-body',
  hostile: true,
  needsSecret: true,
  variants: (builder) =>
    forms.map(({ name, of }) => {
      const event = builder.event()
      return {
        name,
        steps: [builder.deliver(event, { signature: of(builder, JSON.stringify(event)) })],
        expect: 'reject',
      }
    }),
})
