import type { RunFailureCode } from '#contract/authorization.ts'

interface Words {
  readonly meaning: string
  readonly remedy: string
}

const template =
  'The refresh template is an assumption: the document does not show this request ("Refresh exchange: not shown").'
const otherAnswer: Words = {
  meaning: `The answer is not the token response of the document. ${template}`,
  remedy: 'Read the answer, and mend the template under the integration. The old token stays.',
}

/** What a failure means for a refresh, where that is not what it means for the exchange of a code. */
export const refreshFailures: Partial<Record<RunFailureCode, Words>> = {
  not_ready: {
    meaning: 'The integration lacks something that the refresh template uses.',
    remedy: 'Complete the integration, then refresh again.',
  },
  secret_unavailable: {
    meaning:
      'It was sealed with a key that is not here any more: another machine, user or keychain.',
    remedy: 'Enter the access secret again, from the dashboard; then refresh again.',
  },
  closed: {
    meaning:
      'The request was on its way. The service may have made a new token, and taken the refresh token back.',
    remedy: 'Refresh again. If that is refused, authorize again.',
  },
  token_unreachable: {
    meaning: 'The base URL’s host is down, refuses the connection, or this machine is offline.',
    remedy: 'Look at the base URL and the network, then refresh again.',
  },
  token_tls: {
    meaning:
      'Its certificate is not valid for this host, or something in between answers in its place.',
    remedy: 'Mend the certificate, or the base URL. Neither secret nor refresh token was sent.',
  },
  token_timeout: {
    meaning:
      'The service is slow or hangs. It may have made a new token all the same, so it is not tried again by itself.',
    remedy: 'Refresh again. If that is refused, authorize again.',
  },
  token_redirected: {
    meaning: `The service answers under another address than base URL and path of the template. ${template}`,
    remedy: 'Mend the base URL or the path. Credentials are not sent after a redirect.',
  },
  token_refused: {
    meaning: `The refresh token was revoked, access id or access secret are wrong, or the service wants another request. ${template}`,
    remedy: 'Read the answer, and mend the template; or authorize again.',
  },
  token_server_error: {
    meaning: `The fault is on the service’s side, unless it fails on what it was sent. ${template}`,
    remedy: 'Refresh again in a while.',
  },
  token_status: otherAnswer,
  token_too_large: otherAnswer,
  token_not_json: otherAnswer,
  token_html: otherAnswer,
  token_snake_case: otherAnswer,
  token_missing: otherAnswer,
  token_truncated: {
    meaning:
      'The connection, or something in between, cut it off. The old refresh token may be used up.',
    remedy: 'Refresh again. If that is refused, authorize again.',
  },
  token_expired: {
    meaning: 'The service’s clock or its arithmetic is wrong, or this computer’s clock is ahead.',
    remedy:
      'Set this computer’s clock right, then refresh again. You can keep the token all the same, and try it.',
  },
  internal: {
    meaning: 'This is a fault of Tabscope’s.',
    remedy: 'Look at the log, then refresh again.',
  },
}
