import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O2',
  title: 'The redirect URL',
  level: 'MUST',
  basis: 'Authorization endpoint',
  quote:
    'Must exactly equal one of the redirect URLs configured for the integration on the dashboard.',
  expected: 'Exactly the configured redirect URL, character for character',
  why: 'The service rejects any other spelling, such as one with a trailing slash, and nobody can authorize the integration.',
  fix: 'Keep the redirect URL in one configuration value, and send it unchanged. Do not build it from the Host header.',
})
