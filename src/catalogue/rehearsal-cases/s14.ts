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
  why: 'A response that contains the expected signature signs any order for anyone who asks. A stack trace reveals paths and versions to attackers.',
  fix: 'hide-errors',
})
