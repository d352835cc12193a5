import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O8',
  title: 'The token endpoint fails',
  level: 'SHOULD',
  basis: null,
  expected: 'At most 5 requests, a time limit, and the access secret is sent to no other host',
  why: 'A client that retries without a limit overloads a service that is recovering. A client that follows a redirect hands over the access secret.',
  fix: 'Set a time limit of about 10 seconds, do not follow redirects of the token endpoint, and retry a few times with growing delays at most.',
})
