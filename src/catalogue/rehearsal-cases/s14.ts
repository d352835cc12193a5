import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S14',
  group: 'signature',
  title: 'Secrets in responses',
  level: 'MUST',
  basis: 'Signature verification',
  quote:
    'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  expected: 'No response contains the secret, the expected signature or a stack trace',
  why: 'A response that names the expected signature signs any order for anybody who asks. A stack trace shows paths and versions to attack.',
  fix: 'hide-errors',
})
