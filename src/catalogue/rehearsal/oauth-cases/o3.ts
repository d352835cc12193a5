import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O3',
  title: 'The redirect has a wrong, an absent or a second state',
  level: 'MUST',
  basis: 'Authorization endpoint',
  quote:
    'The client must compare it with the value it sent to decide whether the redirect is authentic.',
  expected: 'No token request',
  why: "An attacker who sends a prepared link to a user connects the attacker's account to that user's session. The user then works with the attacker's data.",
  fix: 'Compare the state with the value in the session before anything else. Reject the redirect if it is absent, different, or present more than once.',
  critical: true,
})
