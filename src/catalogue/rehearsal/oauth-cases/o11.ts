import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O11',
  title: '403, and revoked tokens',
  level: 'MUST',
  basis: 'Errors',
  quote: 'Do not retry without modifying the data.',
  expected:
    'The call is not repeated after 403; after both tokens are revoked, the user is asked for a new authorization',
  why: 'Both tokens can be revoked at any time. A client that keeps retrying is blocked, and one that cannot authorize again loses the customer.',
  fix: 'Do not retry after 403. If the refresh is refused, delete both tokens, and start a new authorization.',
})
