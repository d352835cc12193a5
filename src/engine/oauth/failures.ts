import type { RunFailureCode } from '#contract/authorization.ts'

interface Words {
  /** What happened, where nothing more is known. */
  readonly message: string
  /** What it most likely means. */
  readonly meaning: string
  readonly remedy: string
}

const again = 'Authorize again.'
const bodyShown =
  'The API documentation does not describe error responses ("Errors"): check the response body, which is shown as received.'

/** What each failure most likely means, and what to do. "The document" is the service's. */
export const failures = {
  not_ready: {
    message: 'The integration is not ready.',
    meaning: 'Something that the flow needs is missing, or cannot be right.',
    remedy: 'Fix what preflight reports for the integration, then authorize again.',
  },
  secret_unavailable: {
    message: 'The access secret cannot be unsealed.',
    meaning:
      'It was encrypted with a key that is no longer available: another machine, user or keychain.',
    remedy: 'Enter the access secret again, from the dashboard.',
  },
  sandbox_failed: {
    message: 'The sandbox did not start.',
    meaning: 'Something keeps the built-in service from listening on its port.',
    remedy: 'Look at the reason, then start the sandbox from its page.',
  },
  redirect_port_in_use: {
    message: 'The redirect URL’s port is taken.',
    meaning:
      'Another program, perhaps your own development server, listens on the port of the redirect URL.',
    remedy: 'Stop that program, or list another port on the dashboard and here.',
  },
  redirect_port_forbidden: {
    message: 'The redirect URL’s port may not be listened on.',
    meaning: 'The system keeps this port, as most do with those below 1024, for administrators.',
    remedy: 'List a redirect URL with a port above 1023 on the dashboard and here.',
  },
  cancelled: {
    message: 'You cancelled it.',
    meaning: 'There is no error.',
    remedy: again,
  },
  window_closed: {
    message: 'The window was closed before the authorization was complete.',
    meaning: 'The request was neither approved nor denied.',
    remedy: again,
  },
  timed_out: {
    message: 'The authorization timed out.',
    meaning:
      'The page was left open, or the service redirected elsewhere: to a redirect URL that differs from the one on the dashboard.',
    remedy:
      'Look where the browser ended. If it shows your redirect URL, authorize again and paste that address.',
  },
  superseded: {
    message: 'Another run of the same integration took its place.',
    meaning: 'Only one run at a time waits for the redirect, so that responses cannot be mixed up.',
    remedy: 'Continue in the newer run.',
  },
  page_failed: {
    message: 'The authorization page could not be shown.',
    meaning: 'The base URL leads nowhere, or this machine is offline.',
    remedy: 'Open the base URL in a browser. If it is not the service, correct it.',
  },
  closed: {
    message: 'Tabscope was closed during the run.',
    meaning: 'No run is waiting for the redirect.',
    remedy: again,
  },
  redirect_path: {
    message: 'The redirect went to a path other than the redirect URL’s.',
    meaning:
      'The dashboard lists a different redirect URL: a trailing slash or the case of a letter is enough (API documentation, "Authorization endpoint": "must exactly equal").',
    remedy: 'Copy the redirect URL exactly from the dashboard. The received code was not used.',
  },
  redirect_query: {
    message: 'The redirect lost the redirect URL’s own query.',
    meaning:
      'The service drops or changes the query of the redirect URL, or the dashboard lists another one.',
    remedy:
      'List a redirect URL without a query, or compare it with the dashboard character by character.',
  },
  redirect_origin: {
    message: 'The redirect went to an origin other than the redirect URL’s.',
    meaning:
      'Scheme, host or port differ. This is how a code is stolen (RFC 9700, section 4.1): a comparison that looks only at the beginning lets it happen.',
    remedy:
      'Compare the redirect URL with the dashboard character by character. If they are equal, report it to the service: its comparison is not exact.',
  },
  state_missing: {
    message: 'No state was returned, although one was sent.',
    meaning:
      'This redirect does not belong to this run, or the service does not return the state (API documentation, "Authorization endpoint": "identical to the value sent").',
    remedy:
      'Authorize again. If it happens again, the service drops the state: do not continue without it (RFC 6749, section 10.12).',
  },
  state_mismatch: {
    message: 'The returned state does not match the one sent.',
    meaning:
      'This redirect belongs to another run or an older tab, or is forged (RFC 6749, section 10.12). Its code was not used.',
    remedy: 'Close older tabs of the authorization page, then authorize again.',
  },
  state_repeated: {
    message: 'The state was returned more than once.',
    meaning:
      'Parameters must not be repeated (RFC 6749, section 3.1): which of them is meant cannot be known.',
    remedy:
      'Check whether the redirect URL has a state parameter in its query; then authorize again.',
  },
  access_denied: {
    message: 'The request was not approved.',
    meaning: 'The user, or the service for them, said no (RFC 6749, section 4.1.2.1).',
    remedy: 'Authorize again and approve, as a user who may.',
  },
  authorization_error: {
    message: 'The service returned an error.',
    meaning:
      'The authorization page rejected the request (RFC 6749, section 4.1.2.1; the API documentation lists no errors).',
    remedy: 'Compare access id and redirect URL with the dashboard, then authorize again.',
  },
  code_missing: {
    message: 'Neither a code nor an error was returned.',
    meaning:
      'The service returned less than the API documentation describes ("Authorization endpoint").',
    remedy: 'Authorize again. If it happens again, ask the service.',
  },
  code_empty: {
    message: 'The returned code is empty.',
    meaning: 'There is nothing to exchange.',
    remedy: 'Authorize again. If it happens again, ask the service.',
  },
  code_repeated: {
    message: 'The code was returned more than once.',
    meaning:
      'Parameters must not be repeated (RFC 6749, section 3.1): which code is meant cannot be known.',
    remedy:
      'Check whether the redirect URL has a code parameter in its query; then authorize again.',
  },
  code_used: {
    message: 'This code has been exchanged before.',
    meaning:
      'The browser showed an old answer again, or the service gave one code twice. A code is never sent twice: the service may revoke what it gave for it (RFC 6749, section 4.1.2).',
    remedy: 'Authorize again: the page gives a new code.',
  },
  token_unreachable: {
    message: 'The token endpoint could not be reached.',
    meaning:
      'The base URL’s host is down, refuses the connection, or this machine is offline. The code may have been used up.',
    remedy: 'Look at the base URL and the network, then authorize again.',
  },
  token_tls: {
    message: 'There is no safe connection to the token endpoint.',
    meaning:
      'Its certificate is not valid for this host, or something in between answers in its place.',
    remedy: 'Fix the certificate or the base URL. The access secret was not sent.',
  },
  token_timeout: {
    message: 'The token endpoint did not answer within 30 seconds.',
    meaning:
      'The service is slow or hangs. It may have used up the code all the same, so the exchange is not tried again.',
    remedy: again,
  },
  token_redirected: {
    message: 'The token endpoint answered with a redirect.',
    meaning:
      'The base URL is not the address that the service answers under: http in place of https, or a missing or extra "www" or path, is most common.',
    remedy:
      'Enter the address that it redirects to as the base URL, if it is the service’s; then authorize again.',
  },
  token_refused: {
    message: 'The token endpoint refused the exchange.',
    meaning: `Access id or access secret are wrong, or the code is too old or was used. ${bodyShown}`,
    remedy:
      'Compare access id and access secret with the dashboard, then authorize again: the code cannot be used again.',
  },
  token_server_error: {
    message: 'The token endpoint failed.',
    meaning: `The fault is on the service’s side, unless it fails on what it was sent. ${bodyShown}`,
    remedy: 'Authorize again in a while.',
  },
  token_status: {
    message: 'The token endpoint answered with a status that means no success.',
    meaning: 'Something that does not follow HTTP, or is not the service, answers there.',
    remedy: 'Check the base URL and any proxy in between.',
  },
  token_too_large: {
    message: 'The token endpoint’s answer is too large.',
    meaning: 'Something else than the token endpoint answers there.',
    remedy: 'Look at the base URL.',
  },
  token_not_json: {
    message: 'The token endpoint’s answer is no JSON.',
    meaning:
      'Something other than the token endpoint responds, or the service has a fault (API documentation, "Token endpoint").',
    remedy: 'Read the answer’s body, and look at the base URL.',
  },
  token_html: {
    message: 'The token endpoint answered with a web page.',
    meaning:
      'The base URL leads to a web site, a log-in page or a proxy, not to the token endpoint: {base_url}/api/oauth/token.',
    remedy: 'Look at the base URL: a missing path or host is most common.',
  },
  token_truncated: {
    message: 'The token endpoint’s response is incomplete.',
    meaning: 'The connection, or something in between, cut it off. The code is used up.',
    remedy: again,
  },
  token_snake_case: {
    message: 'The response uses field names like access_token, not those of the API documentation.',
    meaning:
      'The response follows RFC 6749, section 5.1; the API documentation has token, tokenType and refreshToken ("Token response"). It may be another service, or another version of it.',
    remedy:
      'Look at the base URL. The names are not guessed: what they mean here is not said anywhere.',
  },
  token_missing: {
    message: 'The answer has no token.',
    meaning:
      'The service reported success but returned nothing (API documentation, "Token response").',
    remedy: 'Read the answer’s body, then authorize again.',
  },
  token_not_bearer: {
    message: 'The token is no bearer token.',
    meaning:
      'A client must not use a token of an unknown type (RFC 6749, section 7.1); the API documentation only has Bearer.',
    remedy: 'Ask the service. You can keep the token all the same, and try it.',
  },
  token_expired: {
    message: 'The token’s end is in the past.',
    meaning: 'The service’s clock or its arithmetic is wrong, or this computer’s clock is ahead.',
    remedy:
      'Set this computer’s clock right, then authorize again. You can keep the token all the same, and try it.',
  },
  token_milliseconds: {
    message: 'The token’s times are in milliseconds.',
    meaning:
      'The API documentation has seconds ("Token response"); a client that relies on it would never refresh.',
    remedy:
      'Report it to the service. You can still store the token: its times are then read as milliseconds.',
  },
  refresh_template: {
    message: 'The refresh request cannot be built from its template.',
    meaning:
      'You can change the template: the API documentation does not describe this request ("Refresh exchange: not shown").',
    remedy: 'Fix the template of the integration, then try it.',
  },
  refresh_no_token: {
    message: 'There is no refresh token.',
    meaning: 'The service gave none with this token, or it was forgotten here.',
    remedy: again,
  },
  internal: {
    message: 'Tabscope has an internal error.',
    meaning: 'This is a fault of Tabscope’s.',
    remedy: 'Look at the log, then authorize again.',
  },
} as const satisfies Record<RunFailureCode, Words>
