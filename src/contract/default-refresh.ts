import type { RefreshRule, RefreshTemplate } from './integrations.ts'

/** An assumption: the documented code exchange, with the refresh token instead of the code (RFC 6749, section 6). */
export const defaultRefreshTemplate: RefreshTemplate = {
  method: 'POST',
  path: '/api/oauth/token',
  headers: [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/json'],
  ],
  body: JSON.stringify(
    {
      grant_type: 'refresh_token',
      api_access_id: '{{access_id}}',
      api_access_secret: '{{access_secret}}',
      refresh_token: '{{refresh_token}}',
    },
    null,
    2,
  ),
}

export const defaultRefreshRule: RefreshRule = {
  template: defaultRefreshTemplate,
  provenAt: null,
  automatic: true,
  dueBeforeSeconds: 3600,
}
