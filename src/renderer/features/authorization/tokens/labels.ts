import type { TokenEvent, TokenState } from '#contract/tokens.ts'

export type Tone = 'valid' | 'invalid' | 'missing' | 'unsigned' | 'info'

interface StateWords {
  readonly word: string
  readonly tone: Tone
  /** What it means and what to do; null where nothing is to be done. */
  readonly meaning: string | null
  /** Where the service's document says so; null: it does not. */
  readonly section: string | null
}

/** What a token's state is called, means and asks for. */
export function tokenStateLabel(state: TokenState): StateWords {
  switch (state) {
    case 'active':
      return { word: 'Active', tone: 'valid', meaning: null, section: null }
    case 'due':
      return {
        word: 'Due',
        tone: 'missing',
        meaning: 'It still works. Refresh it, or authorize again, before it ends.',
        section: 'Authentication 4',
      }
    case 'expired':
      return {
        word: 'Expired',
        tone: 'missing',
        meaning:
          'Its time is over: a call with it meets 401. Refresh it or authorize again; the same call may then be tried again.',
        section: 'Errors',
      }
    case 'suspect':
      return {
        word: 'May be revoked',
        tone: 'missing',
        meaning:
          'A call met 401 before its end: it may be revoked at the service, or the two clocks differ. Call again: success clears this, and a second 401 is treated as revoked.',
        section: 'Authentication 5',
      }
    case 'revoked':
      return {
        word: 'Revoked',
        tone: 'invalid',
        meaning:
          'Two calls met 401 before its end: it was revoked at the service, unless the two clocks differ. Authorize again.',
        section: 'Authentication 5',
      }
    case 'invalid':
      return {
        word: 'Invalid',
        tone: 'invalid',
        meaning:
          'A call met 403: the service says that this token is invalid. Do not send the same call again unchanged. Look at which user and which integration it belongs to.',
        section: 'Errors',
      }
    case 'forgotten':
      return {
        word: 'Revoked here',
        tone: 'unsigned',
        meaning:
          'Its values are deleted here. The document shows no way to revoke it at the service, which may take it until its end.',
        section: null,
      }
    case 'unavailable':
      return {
        word: 'Unreadable',
        tone: 'invalid',
        meaning:
          'It is stored, but this machine cannot unseal it: it was sealed under another key. Authorize again.',
        section: null,
      }
  }
}

interface EventWords {
  readonly word: string
  readonly tone: Tone
}

/** What an event in the life of a token is called. */
export function tokenEventLabel(kind: TokenEvent['kind']): EventWords {
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
      return { word: 'Service not reached', tone: 'missing' }
    case 'unauthorized':
      return { word: 'Met 401', tone: 'invalid' }
    case 'forbidden':
      return { word: 'Met 403', tone: 'invalid' }
    case 'revoked':
      return { word: 'Revoked', tone: 'invalid' }
    case 'replaced':
      return { word: 'Replaced', tone: 'info' }
    case 'forgotten':
      return { word: 'Revoked here', tone: 'unsigned' }
  }
}
