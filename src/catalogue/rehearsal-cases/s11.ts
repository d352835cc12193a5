import { headerName } from '../headers.ts'
import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S11',
  group: 'signature',
  title: 'The signature in the wrong place',
  level: 'MUST',
  basis: 'Delivery headers',
  quote:
    'Present only if a secret is configured: hex-encoded SHA-256 HMAC of the request body keyed with the secret.',
  expected: 'Reject with 4xx',
  why: 'Signatures in a URL end up in logs and histories. Anyone who reads one there can repeat the order.',
  fix: 'require-secret',
  hostile: true,
  needsSecret: true,
  variants: (builder) => {
    const name = headerName(builder.brand, 'signature')
    const inQuery = builder.event()
    const querySignature = builder.sign(JSON.stringify(inQuery))
    const inBody = builder.event()
    const bodySignature = builder.sign(JSON.stringify(inBody))
    const inHeader = builder.event()
    const headerSignature = builder.sign(JSON.stringify(inHeader))
    return [
      {
        name: 'in the query',
        steps: [
          builder.deliver(inQuery, {
            signature: null,
            query: `${name.toLowerCase()}=${querySignature}&signature=${querySignature}`,
          }),
        ],
        expect: 'reject',
      },
      {
        name: 'in the body',
        steps: [
          builder.deliver(inBody, {
            signature: null,
            body: JSON.stringify({ ...inBody, [name]: bodySignature, signature: bodySignature }),
          }),
        ],
        expect: 'reject',
      },
      {
        name: 'in another header',
        steps: [
          builder.deliver(inHeader, {
            signature: null,
            headers: (headers) => [
              ...headers,
              ['X-Signature', headerSignature],
              ['X-Hub-Signature-256', `sha256=${headerSignature}`],
              ['Authorization', `Bearer ${headerSignature}`],
            ],
          }),
        ],
        expect: 'reject',
      },
    ]
  },
})
