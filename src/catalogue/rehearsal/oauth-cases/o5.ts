import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O5',
  title: 'The callback is loaded twice',
  level: 'SHOULD',
  basis: 'RFC 6749, 4.1.2',
  expected: 'One token request',
  why: 'A code is valid once. The second exchange fails, and the service may revoke the tokens of the first (RFC 6749, 4.1.2).',
  fix: 'Remove the state from the session before the exchange begins, so that the same redirect is rejected the second time.',
})
