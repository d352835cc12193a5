import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O12',
  title: 'The API redirects to another origin',
  level: 'MUST',
  basis: 'RFC 6750, 5.3',
  expected: 'The token is not sent to the other origin',
  why: 'Anyone who has the token can act as the user who approved the integration.',
  fix: 'Do not follow redirects of the API, or remove the Authorization header when the origin changes.',
  critical: true,
})
