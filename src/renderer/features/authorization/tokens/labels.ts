import type { TokenEvent, TokenState } from '#contract/tokens.ts'

export type Tone = 'valid' | 'invalid' | 'missing' | 'unsigned' | 'info'

interface StateLabel {
  readonly word: string
  readonly tone: Tone
  /** What the state means and what to do; null if there is nothing to do. */
  readonly meaning: string | null
  /** The section of the API documentation that describes it; null if none does. */
  readonly section: string | null
}

export function tokenStateLabel(state: TokenState): StateLabel {
  switch (state) {
    case 'active':
      return { word: 'Active', tone: 'valid', meaning: null, section: null }
    case 'due':
      return {
        word: 'Due',
        tone: 'missing',
        meaning: 'It still works. Refresh it or authorize again before it expires.',
        section: 'Authentication 4',
      }
    case 'expired':
      return {
        word: 'Expired',
        tone: 'missing',
        meaning:
          'It has expired, so calls with it get 401. Refresh it or authorize again, then retry the call.',
        section: 'Errors',
      }
    case 'suspect':
      return {
        word: 'May be revoked',
        tone: 'missing',
        meaning:
          'A call got 401 before expiry. The service may have revoked it, or the clocks differ. Call again: success clears this, a second 401 marks it as revoked.',
        section: 'Authentication 5',
      }
    case 'revoked':
      return {
        word: 'Revoked',
        tone: 'invalid',
        meaning:
          'Two calls got 401 before expiry. The service revoked it, unless the clocks differ. Authorize again.',
        section: 'Authentication 5',
      }
    case 'invalid':
      return {
        word: 'Invalid',
        tone: 'invalid',
        meaning:
          'A call got 403: the service says that this token is invalid. Do not retry the same call unchanged. Check which user and integration it belongs to.',
        section: 'Errors',
      }
    case 'forgotten':
      return {
        word: 'Revoked locally',
        tone: 'unsigned',
        meaning:
          'Its values are deleted here. The API documentation has no way to revoke it at the service, which can accept it until it expires.',
        section: null,
      }
    case 'unavailable':
      return {
        word: 'Unreadable',
        tone: 'invalid',
        meaning:
          'It was encrypted with another key, so this machine cannot read it. Authorize again.',
        section: null,
      }
  }
}

interface EventLabel {
  readonly word: string
  readonly tone: Tone
}

export function tokenEventLabel(kind: TokenEvent['kind']): EventLabel {
  switch (kind) {
    case 'issued':
      return { word: 'Issued', tone: 'valid' }
    case 'due':
      return { word: 'Due', tone: 'missing' }
    case 'expired':
      return { word: 'Expired', tone: 'missing' }
    case 'refreshed':
      return { word: 'Refreshed', tone: 'valid' }
    case 'refresh_failed':
      return { word: 'Refresh failed', tone: 'invalid' }
    case 'refresh_unreached':
      return { word: 'Service unreachable', tone: 'missing' }
    case 'unauthorized':
      return { word: 'Got 401', tone: 'invalid' }
    case 'forbidden':
      return { word: 'Got 403', tone: 'invalid' }
    case 'revoked':
      return { word: 'Revoked', tone: 'invalid' }
    case 'replaced':
      return { word: 'Replaced', tone: 'info' }
    case 'forgotten':
      return { word: 'Revoked locally', tone: 'unsigned' }
  }
}
