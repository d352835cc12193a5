import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O4',
  title: 'A redirect that this session did not start',
  level: 'MUST',
  basis: 'Authorization endpoint',
  quote:
    'The client must compare it with the value it sent to decide whether the redirect is authentic.',
  expected: 'No token request',
  why: 'A state that is valid in every session protects nobody: an attacker starts a flow and sends the redirect to a user.',
  fix: "Store the state in the session of the user's browser, not in a list for all sessions. Reject a redirect for which the session has no state.",
  critical: true,
})
