import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S3',
  group: 'signature',
  title: 'Signed with another secret',
  level: 'MUST',
  basis: 'Signature verification',
  quote: 'Compute HMAC-SHA256 of the body with the secret as key and hex-encode the result.',
  expected: 'Reject with 4xx',
  why: 'If the secret is not checked, anyone can sign orders with the secret of another webhook or of a test system.',
  fix: 'require-secret',
  hostile: true,
  needsSecret: true,
  variants: (builder) => {
    const signedWith = (name: string, key: string) => {
      const event = builder.event()
      return {
        name,
        steps: [
          builder.deliver(event, { signature: builder.sign(JSON.stringify(event), { key }) }),
        ],
        expect: 'reject' as const,
      }
    }
    return [
      signedWith('another secret', builder.randomHex(32)),
      ...(builder.accessSecret === null
        ? []
        : [signedWith('the access secret', builder.accessSecret)]),
    ]
  },
})
