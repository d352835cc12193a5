import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O10',
  title: '20 simultaneous calls get 401',
  level: 'SHOULD',
  basis: 'Errors',
  quote: 'The request can be retried (after obtaining a fresh token).',
  expected: 'One refresh, and one retry for each call',
  why: 'Parallel refreshes replace each other’s tokens, and the integration loses access at the busiest time of the day.',
  fix: 'Keep one pending refresh for each token, which all calls wait for. Retry each call once with the new token.',
})
