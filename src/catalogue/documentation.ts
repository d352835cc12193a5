import { eventTypeOf, eventTypes } from './catalogue.ts'
import { deliveryHeaders, headerName } from './headers.ts'

const brand = 'Service'

const lines = (...text: string[]): string => text.join('\n')

/** What the API documentation says, section by section, in short. What is not listed is not documented. */
export const documentation: Readonly<Record<string, string>> = {
  authorization: lines(
    '1. Send the user to GET {base_url}/manager/oauth with the query parameters response_type (must be "code"), access_id, redirect_url (must equal one of the configured redirect URLs exactly) and state (optional).',
    '2. After the confirmation, the user agent is redirected to redirect_url with code and, if it was sent, the same state. The client must compare the state with the one that it sent.',
    '3. Exchange the code: POST {base_url}/api/oauth/token with a JSON body of grant_type ("authorization_code"), api_access_id, api_access_secret and code.',
    'The refresh exchange is not documented.',
  ),
  tokens: lines(
    'The token response has tokenType ("Bearer"), token, initiated and expires (Unix time in seconds), expiresIn (86400 seconds) and refreshToken.',
    'API requests carry the token as a bearer token in the Authorization header, and are made on behalf of the user who approved them.',
    'A token expires after 24 hours. The refresh token does not expire. Both can be revoked at any time; then a new authorization is required.',
  ),
  delivery: lines(
    'Each delivery is a POST request with Content-Type: application/json and a JSON body. Its User-Agent starts with Service-WebhookAgent. Configured custom headers are added.',
    ...deliveryHeaders(brand).map(({ name, description }) => `${name}: ${description}`),
    'Retries, order, timeouts and the response that the handler must return are not documented.',
  ),
  signature: lines(
    '1. Take the raw body, before any JSON parsing.',
    '2. Compute HMAC-SHA256 of it with the secret of the webhook as the key, and encode the result as hex.',
    `3. Compare it with ${headerName(brand, 'signature')}, which is sent only if a secret is configured.`,
  ),
  payload: lines(
    'type: event type',
    'targetUuid: UUID of the target, if it has one (optional)',
    'targetId: ID of a target without UUID (optional)',
    'locationUuid, locationName, locationId: the location of the event (optional)',
    'createdAt: when the event was created, ISO 8601 in UTC with milliseconds',
    'data: object whose fields depend on the type',
  ),
  errors: lines(
    '401: the token has expired or was revoked. Retry with a new token.',
    '403: the token is invalid. Do not retry without changes.',
    'Error bodies, other statuses and rate limits are not documented.',
    'QR_SCANNED is sent at most once in 5 minutes for each customer and target.',
  ),
  ...Object.fromEntries(eventTypes.map(({ type }) => [type, describeEventType(type) ?? ''])),
}

/** When the type is sent, its target and its fields; null if it is not documented. */
export function describeEventType(name: string): string | null {
  const type = eventTypeOf(name)
  if (!type) return null
  return lines(
    type.fired,
    `targetUuid: ${type.target.uuid ?? 'none'}`,
    `targetId: ${type.target.id ?? 'none'}`,
    ...type.data.map(({ key, type: of, description }) => `${key} (${of}): ${description}`),
  )
}
