import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O6',
  title: 'The redirect has no code, or the user denied access',
  level: 'SHOULD',
  basis: 'RFC 6749, 4.1.2.1',
  expected: 'No token request, and a response below 500',
  why: 'A user who denies access sees a crash, and a log full of errors hides real ones.',
  fix: 'Check for "error" and for a missing "code" after the state. Show a message, and offer to start again.',
})
