import type { Advice } from '#contract/api.ts'
import type { TokenView } from '#contract/tokens.ts'
import { clockNote, spanOf, type Met } from '../both-clocks.ts'
import type { UsableToken } from '../tokens/tokens.ts'

/** The request carried no token, and the service wants one. */
export function withoutToken(typed: boolean): Advice {
  return {
    code: 'unauthorized_without_token',
    message: typed
      ? 'The service answered 401 to the Authorization header that you wrote. Switch it off and choose a token, or look at its value: the service wants "Bearer" and an access token.'
      : 'The service answered 401, and the request carried no token. Choose one: it goes along as a bearer token in the Authorization header.',
    section: 'Authentication 1',
  }
}

export const invalid: Advice = {
  code: 'invalid',
  message:
    'The service answered 403: the token is invalid. Do not send this again unchanged. Choose another token, or authorize again.',
  section: 'Errors',
}

/** A 401 before the token's end: nothing is sent twice, since a refresh is no answer to a revocation. */
export function revoked({ expires }: UsableToken, met: Met): Advice {
  if (expires === null) {
    return {
      code: 'revoked',
      message:
        'The service answered 401. It gave no end for this token, so it may have expired or been revoked. The request was not sent a second time: send it again, and if it meets 401 again, authorize again.',
      section: 'Authentication 5',
    }
  }
  const before =
    expires > met.now
      ? `${spanOf(expires - met.now)} before the token's end`
      : 'to a token that has only just been refreshed'
  return {
    code: 'revoked',
    message: `The service answered 401, ${before}: it may have been revoked, or a clock is off. The request was not sent a second time: send it again, and if it meets 401 again, authorize again.${clockNote(met)}`,
    section: 'Authentication 5',
  }
}

export function refreshed({ expires }: UsableToken, status: number | null, met: Met): Advice {
  const ended = expires === null ? '' : `, ${spanOf(Math.max(0, met.now - expires))} after its end`
  const again =
    status === null
      ? 'and sending the request once more brought no answer'
      : status === 401
        ? 'but the new token met 401 as well. Authorize again'
        : 'and the request was sent once more'
  return {
    code: 'expired_refreshed',
    message: `The service answered 401 to the token${ended}. It was refreshed, ${again}.${clockNote(met)}`,
    section: 'Errors',
  }
}

/** A 401 after the token's end, and no newer one to be had; `why` is a sentence. */
export function expired(
  { expires }: UsableToken,
  why: string,
  view: Pick<TokenView, 'events'>,
  met: Met,
): Advice {
  const ended =
    expires !== null && met.now >= expires
      ? `The token ended ${spanOf(met.now - expires)} ago`
      : "By the service's clock the token has ended"
  return {
    code: refreshFailed(view) ? 'expired_refresh_failed' : 'expired',
    message: `The service answered 401. ${ended}, and was not refreshed. ${why} With a fresh token the request can be sent again.${clockNote(met)}`,
    section: 'Errors',
  }
}

/** Whether the last try to refresh this very token failed. */
function refreshFailed({ events }: Pick<TokenView, 'events'>): boolean {
  const last = events.findLast(({ kind }) =>
    ['issued', 'refreshed', 'replaced', 'refresh_failed', 'refresh_unreached'].includes(kind),
  )
  return last?.kind === 'refresh_failed' || last?.kind === 'refresh_unreached'
}
