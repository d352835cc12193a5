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
  'The document does not show what a refused exchange looks like ("Errors"): read the answer’s body, which is shown as it came.'

/** What each failure most likely means, and what to do. "The document" is the service's. */
export const failures = {
  not_ready: {
    message: 'The integration is not ready.',
    meaning: 'Something that the flow needs is missing, or cannot be right.',
    remedy: 'Mend what preflight says under the integration, then authorize again.',
  },
  secret_unavailable: {
    message: 'The access secret cannot be unsealed.',
    meaning:
      'It was sealed with a key that is not here any more: another machine, user or keychain.',
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
      'Another program, perhaps your own development server, listens where the way back leads.',
    remedy: 'Stop that program, or list another port on the dashboard and here.',
  },
  redirect_port_forbidden: {
    message: 'The redirect URL’s port may not be listened on.',
    meaning: 'The system keeps this port, as most do with those below 1024, for administrators.',
    remedy: 'List a redirect URL with a port above 1023 on the dashboard and here.',
  },
  cancelled: {
    message: 'You cancelled it.',
    meaning: 'Nothing went wrong.',
    remedy: again,
  },
  window_closed: {
    message: 'The window was closed before the user came back.',
    meaning: 'The request was neither approved nor denied.',
    remedy: again,
  },
  timed_out: {
    message: 'Nobody came back in time.',
    meaning:
      'The page was left open, or the way back led somewhere else: a redirect URL that is not the one on the dashboard.',
    remedy:
      'Look where the browser ended. If it shows your redirect URL, authorize again and paste that address.',
  },
  superseded: {
    message: 'Another run of the same integration took its place.',
    meaning: 'One run at a time waits for the way back, so that no answer is taken for another’s.',
    remedy: 'Go on in the newer run.',
  },
  page_failed: {
    message: 'The authorization page could not be shown.',
    meaning: 'The base URL leads nowhere, or this machine is offline.',
    remedy: 'Open the base URL in a browser. If it is not the service, correct it.',
  },
  closed: {
    message: 'Tabscope was closed while it went on.',
    meaning: 'Nothing waits for the way back any more.',
    remedy: again,
  },
  redirect_path: {
    message: 'The answer came back on another path than the redirect URL’s.',
    meaning:
      'The dashboard lists another redirect URL than this one: a slash at the end, or the case of a letter, is enough (the document, "Authorization endpoint": "must exactly equal").',
    remedy:
      'Copy the redirect URL from the dashboard to the byte. The code that came was not used.',
  },
  redirect_query: {
    message: 'The answer came back without the redirect URL’s own query.',
    meaning:
      'The service drops or changes the query of the redirect URL, or the dashboard lists another one.',
    remedy: 'List a redirect URL without a query, or compare it with the dashboard to the byte.',
  },
  redirect_origin: {
    message: 'The answer went to another origin than the redirect URL’s.',
    meaning:
      'Scheme, host or port differ. This is how a code is stolen (RFC 9700, section 4.1): a comparison that looks only at the beginning lets it happen.',
    remedy:
      'Compare the redirect URL with the dashboard to the byte. If they are equal, tell the service: its comparison is not exact.',
  },
  state_missing: {
    message: 'No state came back, though one was sent.',
    meaning:
      'This answer does not belong to this run, or the service does not return the state (the document, "Authorization endpoint": "identical to the value sent").',
    remedy:
      'Authorize again. If it happens again the service drops the state: do not go on without it (RFC 6749, section 10.12).',
  },
  state_mismatch: {
    message: 'The state that came back is not the one sent.',
    meaning:
      'This answer belongs to another run, to an older tab, or was made up by somebody (RFC 6749, section 10.12). Its code was not used.',
    remedy: 'Close older tabs of the authorization page, then authorize again.',
  },
  state_repeated: {
    message: 'The state came back more than once.',
    meaning:
      'Parameters must not be repeated (RFC 6749, section 3.1): which of them is meant cannot be known.',
    remedy:
      'Look whether the redirect URL has a state of its own in its query; then authorize again.',
  },
  access_denied: {
    message: 'The request was not approved.',
    meaning: 'The user, or the service for them, said no (RFC 6749, section 4.1.2.1).',
    remedy: 'Authorize again and approve, as a user who may.',
  },
  authorization_error: {
    message: 'The service came back with an error.',
    meaning:
      'The authorization page refused the request (RFC 6749, section 4.1.2.1; the document names no errors).',
    remedy: 'Compare access id and redirect URL with the dashboard, then authorize again.',
  },
  code_missing: {
    message: 'Neither a code nor an error came back.',
    meaning: 'The service came back with less than the document says ("Authorization endpoint").',
    remedy: 'Authorize again. If it happens again, ask the service.',
  },
  code_empty: {
    message: 'The code that came back is empty.',
    meaning: 'There is nothing to exchange.',
    remedy: 'Authorize again. If it happens again, ask the service.',
  },
  code_repeated: {
    message: 'The code came back more than once.',
    meaning:
      'Parameters must not be repeated (RFC 6749, section 3.1): which code is meant cannot be known.',
    remedy:
      'Look whether the redirect URL has a code of its own in its query; then authorize again.',
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
    remedy: 'Mend the certificate, or the base URL. The access secret was not sent.',
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
    remedy: 'Look at the base URL and at what stands between.',
  },
  token_too_large: {
    message: 'The token endpoint’s answer is too large.',
    meaning: 'Something else than the token endpoint answers there.',
    remedy: 'Look at the base URL.',
  },
  token_not_json: {
    message: 'The token endpoint’s answer is no JSON.',
    meaning:
      'Something else than the token endpoint answers, or the service is broken (the document, "Token endpoint").',
    remedy: 'Read the answer’s body, and look at the base URL.',
  },
  token_html: {
    message: 'The token endpoint answered with a web page.',
    meaning:
      'The base URL leads to a web site, a log-in page or a proxy, not to the token endpoint: {base_url}/api/oauth/token.',
    remedy: 'Look at the base URL: a missing path or host is most common.',
  },
  token_truncated: {
    message: 'The token endpoint’s answer ends before it is whole.',
    meaning: 'The connection, or something in between, cut it off. The code is used up.',
    remedy: again,
  },
  token_snake_case: {
    message: 'The answer’s fields are written as in access_token, not as in the document.',
    meaning:
      'The answer follows RFC 6749, section 5.1, where the document has token, tokenType and refreshToken ("Token response"): another service, or another version of it.',
    remedy:
      'Look at the base URL. The names are not guessed: what they mean here is not said anywhere.',
  },
  token_missing: {
    message: 'The answer has no token.',
    meaning:
      'The service said that it went well and gave nothing (the document, "Token response").',
    remedy: 'Read the answer’s body, then authorize again.',
  },
  token_not_bearer: {
    message: 'The token is no bearer token.',
    meaning:
      'A client must not use a token whose type it does not understand (RFC 6749, section 7.1); the document has Bearer alone.',
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
      'The document has seconds ("Token response"); a client that believes it would never refresh.',
    remedy:
      'Tell the service. You can keep the token all the same: its times are then read as milliseconds.',
  },
  refresh_template: {
    message: 'The refresh request cannot be built from its template.',
    meaning:
      'The template is yours to change: the document does not show this request ("Refresh exchange: not shown").',
    remedy: 'Mend the template under the integration, then try it.',
  },
  refresh_no_token: {
    message: 'There is no refresh token.',
    meaning: 'The service gave none with this token, or it was forgotten here.',
    remedy: again,
  },
  internal: {
    message: 'Something went wrong in Tabscope itself.',
    meaning: 'This is a fault of Tabscope’s.',
    remedy: 'Look at the log, then authorize again.',
  },
} as const satisfies Record<RunFailureCode, Words>
