import { defineOAuthCase } from '../define.ts'

export default defineOAuthCase({
  id: 'O7',
  title: 'The token request',
  level: 'MUST',
  basis: 'Token endpoint',
  expected:
    'A JSON POST with exactly the documented fields; the access secret in no URL and no page',
  why: 'The service does not accept another encoding. A secret in a URL is stored in logs and in the history of browsers.',
  fix: 'Send grant_type, api_access_id, api_access_secret and code as JSON in the body, with Content-Type and Accept: application/json, from your server only.',
  critical: true,
})
