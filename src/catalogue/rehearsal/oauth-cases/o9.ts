import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O9',
  title: 'Unusual token responses',
  level: 'SHOULD',
  basis: 'RFC 6749, 5.1 and 7.1',
  expected:
    'A token of type "bearer" is used; one of type "MAC" is not; without an expiry, or already expired, nothing crashes',
  why: 'A client must not use a token whose type it does not understand (RFC 6749, 7.1), and the case of the type has no meaning (5.1).',
  fix: 'Compare tokenType without case. Reject other types. Treat a missing expiry as unknown, not as 0 or NaN.',
})
