import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O1',
  title: 'Two ordinary flows',
  level: 'SHOULD',
  basis: 'Authorization endpoint',
  quote:
    'Arbitrary client-generated string, used for CSRF protection and request validation (for example a fresh UUID per button press).',
  expected:
    'Each parameter once with its documented value, and a new state of at least 128 bits for each flow',
  why: 'With a state that can be guessed, an attacker connects their own account to the session of another user.',
  fix: "Generate the state for each flow with a cryptographic random generator, such as crypto.randomUUID() or secrets.token_urlsafe(32), and store it in the user's session.",
})
