import type { RunFailureCode } from '#contract/authorization.ts'

export interface Explanation {
  readonly meaning: string
  readonly remedy: string
}

interface FailureTexts extends Explanation {
  readonly message: string
}

const again = 'Authorize again.'
const bodyShown =
  'The API documentation does not describe error responses ("Errors"): check the response body, which is shown as received.'

/** `message` is a sentence for the user, without secrets. */
export class RunFailureError extends Error {
  override readonly name = 'RunFailureError'
  readonly code: RunFailureCode

  constructor(code: RunFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export const failures = {
  not_ready: {
    message: 'The integration is not ready.',
    meaning: 'Something that the flow needs is missing or invalid.',
    remedy: 'Fix what preflight reports for the integration, then authorize again.',
  },
  secret_unavailable: {
    message: 'The access secret cannot be decrypted.',
    meaning: 'It was encrypted with a key that is no longer available.',
    remedy: 'Copy the access secret from the dashboard and enter it again.',
  },
  sandbox_failed: {
    message: 'The sandbox did not start.',
    meaning: 'Something keeps the built-in service from listening on its port.',
    remedy: 'Check the reason, then start the sandbox from its page.',
  },
  redirect_port_in_use: {
    message: 'The redirect URL’s port is in use.',
    meaning: 'Another program listens on the port of the redirect URL.',
    remedy: 'Stop that program, or list another port on the dashboard and here.',
  },
  redirect_port_forbidden: {
    message: 'Tabscope may not listen on the redirect URL’s port.',
    meaning: 'The system reserves this port for administrators.',
    remedy: 'List a redirect URL with a port above 1023 on the dashboard and here.',
  },
  cancelled: {
    message: 'You cancelled the authorization.',
    meaning: 'This is not an error.',
    remedy: again,
  },
  window_closed: {
    message: 'The window was closed before the authorization was complete.',
    meaning: 'The request was neither approved nor denied.',
    remedy:
      'Authorize again. If the page shows an error, compare the redirect URL and access ID with the dashboard.',
  },
  timed_out: {
    message: 'The authorization timed out.',
    meaning: 'The page was left open or showed an error, or the service redirected elsewhere.',
    remedy:
      'Compare the redirect URL and the access ID with the dashboard. If the browser shows an address with a code, authorize again and paste that address.',
  },
  superseded: {
    message: 'A newer run of the same integration replaced this one.',
    meaning: 'Only one run at a time waits for the redirect.',
    remedy: 'Continue in the newer run.',
  },
  page_failed: {
    message: 'The authorization page could not be shown.',
    meaning: 'No server responds at the base URL, or this machine is offline.',
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
    meaning: 'The scheme, host or port differs. Codes are stolen this way (RFC 9700, section 4.1).',
    remedy:
      'Compare the redirect URL with the dashboard character by character. If they are equal, report it to the service.',
  },
  redirect_post: {
    message: 'The redirect came as a POST.',
    meaning:
      'The API documentation describes a redirect with query parameters ("Authorization endpoint").',
    remedy: 'Select the query as response mode if there is one, or report it to the service.',
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
  access_denied: {
    message: 'The request was not approved.',
    meaning:
      'The user denied the request, or the service did so for them (RFC 6749, section 4.1.2.1).',
    remedy: 'Authorize again, and approve the request as a user with permission to do so.',
  },
  authorization_error: {
    message: 'The service returned an error.',
    meaning:
      'The authorization page rejected the request (RFC 6749, section 4.1.2.1; the API documentation lists no errors).',
    remedy: 'Compare the access ID and the redirect URL with the dashboard, then authorize again.',
  },
  code_missing: {
    message: 'There is not exactly one code, and no error.',
    meaning:
      'The service returned less, or more, than the API documentation describes ("Authorization endpoint").',
    remedy:
      'Check whether the redirect URL has a code parameter in its query; then authorize again. If it happens again, ask the service.',
  },
  code_used: {
    message: 'This code has been exchanged before.',
    meaning:
      'The browser loaded an old redirect again. Tabscope never sends a code twice: the service may revoke its tokens (RFC 6749, section 4.1.2).',
    remedy: 'Authorize again to get a new code.',
  },
  token_unreachable: {
    message: 'The token endpoint could not be reached.',
    meaning:
      'The base URL’s host is down or refuses the connection, or this machine is offline. The code may have been used.',
    remedy: 'Check the base URL and the network, then authorize again.',
  },
  token_tls: {
    message: 'There is no secure connection to the token endpoint.',
    meaning:
      'Its certificate is not valid for this host, or something in between responds in its place.',
    remedy: 'Fix the certificate or the base URL. The access secret was not sent.',
  },
  token_timeout: {
    message: 'The token endpoint did not respond within 30 seconds.',
    meaning:
      'The service is slow or hangs. It may have used the code, so the exchange is not retried.',
    remedy: again,
  },
  token_redirected: {
    message: 'The token endpoint responded with a redirect.',
    meaning:
      'The base URL is not the address of the service: http instead of https, or a missing or extra "www" or path.',
    remedy: 'Enter the address of the service as the base URL; then authorize again.',
  },
  token_refused: {
    message: 'The token endpoint refused the exchange.',
    meaning: `The access ID or access secret is wrong, or the code has expired or was already used. ${bodyShown}`,
    remedy:
      'Compare the access ID and access secret with the dashboard, then authorize again: the code cannot be used again.',
  },
  token_rate_limited: {
    message: 'The token endpoint refused the request because there were too many.',
    meaning: 'The service, or a proxy in front of it, limits requests.',
    remedy: 'Wait a few minutes, then authorize again.',
  },
  token_server_error: {
    message: 'The token endpoint failed.',
    meaning: `The service has a fault, unless something in the request causes it. ${bodyShown}`,
    remedy: 'Authorize again later.',
  },
  token_encoding: {
    message: 'The token endpoint’s response cannot be decompressed.',
    meaning:
      'The body is damaged, or not compressed as its Content-Encoding says. The code is used up.',
    remedy:
      'Check how the service, or a proxy in between, compresses responses, then authorize again.',
  },
  token_not_json: {
    message: 'The token endpoint’s response is not the JSON of a token.',
    meaning: 'Something other than the token endpoint responds, or the service has a fault.',
    remedy: 'Check the response body and the base URL.',
  },
  token_html: {
    message: 'The token endpoint responded with a web page.',
    meaning:
      'The base URL leads to a website, a login page or a proxy, not to the token endpoint: {base_url}/api/oauth/token.',
    remedy: 'Check the base URL.',
  },
  token_truncated: {
    message: 'The token endpoint’s response is incomplete.',
    meaning: 'The connection, or something in between, cut it off. The code is used up.',
    remedy: again,
  },
  token_snake_case: {
    message: 'The response uses field names like access_token, not those of the API documentation.',
    meaning:
      'The response follows RFC 6749, section 5.1, and not the API documentation ("Token response").',
    remedy: 'Check the base URL. Tabscope does not guess what these fields mean.',
  },
  token_missing: {
    message: 'The response has no token.',
    meaning:
      'The service reported success but returned no token (API documentation, "Token response").',
    remedy: 'Check the response body, then authorize again.',
  },
  token_not_bearer: {
    message: 'The token is not a bearer token.',
    meaning: 'A client must not use a token of an unknown type (RFC 6749, section 7.1).',
    remedy: 'Ask the service.',
  },
  token_expired: {
    message: 'The token’s expiry is in the past.',
    meaning: 'The service’s calculation is wrong, or this computer’s clock is ahead.',
    remedy: 'Correct this computer’s clock, then authorize again.',
  },
  token_milliseconds: {
    message: 'The token’s times are in milliseconds.',
    meaning:
      'The API documentation has seconds ("Token response"); a client that relies on it would never refresh.',
    remedy: 'Report it to the service.',
  },
  refresh_template: {
    message: 'The refresh request cannot be built from its template.',
    meaning:
      'The API documentation does not describe this request ("Refresh exchange: not shown").',
    remedy: 'Fix the refresh template of the integration, then try it.',
  },
  refresh_no_token: {
    message: 'There is no refresh token.',
    meaning: 'The service issued none with this token, or it was deleted here.',
    remedy: again,
  },
  internal: {
    message: 'Tabscope has an internal error.',
    meaning: 'This is a bug in Tabscope.',
    remedy: 'Check the log, then authorize again.',
  },
} as const satisfies Record<RunFailureCode, FailureTexts>
