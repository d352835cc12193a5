import { rehearsalCaseOf } from './cases.ts'
import type { OAuthCase, RehearsalCase } from './define.ts'

/** In the order in which they run. `engine/handlers/rehearsal/oauth/scenarios.ts` has what the authorization server does in each. */
export const oauthCases: readonly OAuthCase[] = [
  {
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
  },
  {
    id: 'O2',
    title: 'The redirect URL',
    level: 'MUST',
    basis: 'Authorization endpoint',
    quote:
      'Must exactly equal one of the redirect URLs configured for the integration on the dashboard.',
    expected: 'Exactly the configured redirect URL, character for character',
    why: 'The service rejects any other spelling, such as one with a trailing slash, and nobody can authorize the integration.',
    fix: 'Keep the redirect URL in one configuration value, and send it unchanged. Do not build it from the Host header.',
  },
  {
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
  },
  {
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
  },
  {
    id: 'O5',
    title: 'The callback is loaded twice',
    level: 'SHOULD',
    basis: 'RFC 6749, 4.1.2',
    expected: 'One token request',
    why: 'A code is valid once. The second exchange fails, and the service may revoke the tokens of the first (RFC 6749, 4.1.2).',
    fix: 'Remove the state from the session before the exchange begins, so that the same redirect is rejected the second time.',
  },
  {
    id: 'O6',
    title: 'The redirect has no code, or the user denied access',
    level: 'SHOULD',
    basis: 'RFC 6749, 4.1.2.1',
    expected: 'No token request, and a response below 500',
    why: 'A user who denies access sees a crash, and a log full of errors hides real ones.',
    fix: 'Check for "error" and for a missing "code" after the state. Show a message, and offer to start again.',
  },
  {
    id: 'O7',
    title: 'The token request',
    level: 'MUST',
    basis: 'Token endpoint',
    expected:
      'A JSON POST with exactly the documented fields; the access secret in no URL and no page',
    why: 'The service does not accept another encoding. A secret in a URL is stored in logs and in the history of browsers.',
    fix: 'Send grant_type, api_access_id, api_access_secret and code as JSON in the body, with Content-Type and Accept: application/json, from your server only.',
    critical: true,
  },
  {
    id: 'O8',
    title: 'The token endpoint fails',
    level: 'SHOULD',
    basis: null,
    expected: 'At most 5 requests, a time limit, and the access secret is sent to no other host',
    why: 'A client that retries without a limit overloads a service that is recovering. A client that follows a redirect hands over the access secret.',
    fix: 'Set a time limit of about 10 seconds, do not follow redirects of the token endpoint, and retry a few times with growing delays at most.',
  },
  {
    id: 'O9',
    title: 'Unusual token responses',
    level: 'SHOULD',
    basis: 'RFC 6749, 5.1 and 7.1',
    expected:
      'A token of type "bearer" is used; one of type "MAC" is not; without an expiry, or already expired, nothing crashes',
    why: 'A client must not use a token whose type it does not understand (RFC 6749, 7.1), and the case of the type has no meaning (5.1).',
    fix: 'Compare tokenType without case. Reject other types. Treat a missing expiry as unknown, not as 0 or NaN.',
  },
  {
    id: 'O10',
    title: '20 simultaneous calls get 401',
    level: 'SHOULD',
    basis: 'Errors',
    quote: 'The request can be retried (after obtaining a fresh token).',
    expected: 'One refresh, and one retry for each call',
    why: 'Parallel refreshes replace each other’s tokens, and the integration loses access at the busiest time of the day.',
    fix: 'Keep one pending refresh for each token, which all calls wait for. Retry each call once with the new token.',
  },
  {
    id: 'O11',
    title: '403, and revoked tokens',
    level: 'MUST',
    basis: 'Errors',
    quote: 'Do not retry without modifying the data.',
    expected:
      'The call is not repeated after 403; after both tokens are revoked, the user is asked for a new authorization',
    why: 'Both tokens can be revoked at any time. A client that keeps retrying is blocked, and one that cannot authorize again loses the customer.',
    fix: 'Do not retry after 403. If the refresh is refused, delete both tokens, and start a new authorization.',
  },
  {
    id: 'O12',
    title: 'The API redirects to another origin',
    level: 'MUST',
    basis: 'RFC 6750, 5.3',
    expected: 'The token is not sent to the other origin',
    why: 'Anyone who has the token can act as the user who approved the integration.',
    fix: 'Do not follow redirects of the API, or remove the Authorization header when the origin changes.',
    critical: true,
  },
]

export function anyCaseOf(
  id: string,
): (Pick<RehearsalCase, 'title' | 'why' | 'basis' | 'quote'> & { group: string }) | undefined {
  const oauth = oauthCases.find((each) => each.id === id)
  return oauth ? { ...oauth, group: 'oauth' } : rehearsalCaseOf(id)
}
