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
  variants: (kit) => {
    const signedWith = (name: string, key: string) => {
      const event = kit.event()
      return {
        name,
        steps: [kit.deliver(event, { signature: kit.sign(JSON.stringify(event), { key }) })],
        expect: 'reject' as const,
      }
    }
    return [
      signedWith('another secret', kit.randomHex(32)),
      ...(kit.accessSecret === null ? [] : [signedWith('the access secret', kit.accessSecret)]),
    ]
  },
})
