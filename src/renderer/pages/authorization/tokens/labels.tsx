import { Icons, type Icon } from '#kit/icons.tsx'
import type { TokenEvent, TokenState, TokenView } from '#contract/tokens.ts'
import { StateMark } from '#kit/Mark.tsx'
import { escapeControls, shortText } from '#kit/text/visible.ts'

/** "Mara …7f3a" or "Token 3 …7f3a". */
export function tokenName({
  label,
  ending,
  id,
}: Pick<TokenView, 'label' | 'ending' | 'id'>): string {
  const name = label === '' ? `Token ${id}` : shortText(label, 60)
  return ending === null ? name : `${name} …${escapeControls(ending)}`
}

export type Tone = 'valid' | 'invalid' | 'warning' | 'unsigned' | 'info'

interface EventLabel {
  readonly icon: Icon
  readonly word: string
  readonly tone: Tone
}

interface StateLabel extends EventLabel {
  /** What the state means and what to do; null if there is nothing to do. */
  readonly meaning: string | null
  /** The section of the API documentation that describes it; null if none does. */
  readonly section: string | null
}

export const tokenStates: Readonly<Record<TokenState, StateLabel>> = {
  active: { icon: Icons.Check, word: 'Active', tone: 'valid', meaning: null, section: null },
  due: {
    icon: Icons.Hourglass,
    word: 'Due',
    tone: 'warning',
    meaning: 'It still works. Refresh it or authorize again before it expires.',
    section: 'Authentication 4',
  },
  expired: {
    icon: Icons.Clock,
    word: 'Expired',
    tone: 'warning',
    meaning:
      'It has expired, so calls with it get 401. Refresh it or authorize again, then retry the call.',
    section: 'Errors',
  },
  suspect: {
    icon: Icons.TriangleAlert,
    word: 'May be revoked',
    tone: 'warning',
    meaning:
      'A call got 401 before expiry. The service may have revoked it, or the clocks differ. Call again: success clears this, a second 401 marks it as revoked.',
    section: 'Authentication 5',
  },
  revoked: {
    icon: Icons.CircleSlash,
    word: 'Revoked',
    tone: 'invalid',
    meaning:
      'Two calls got 401 before expiry. The service revoked it, unless the clocks differ. Authorize again.',
    section: 'Authentication 5',
  },
  invalid: {
    icon: Icons.X,
    word: 'Invalid',
    tone: 'invalid',
    meaning:
      'A call got 403: the service says that this token is invalid. Do not retry the same call unchanged. Check which user and integration it belongs to.',
    section: 'Errors',
  },
  forgotten: {
    icon: Icons.Eraser,
    word: 'Revoked locally',
    tone: 'unsigned',
    meaning:
      'Its values are deleted here. The API documentation has no way to revoke it at the service, which can accept it until it expires.',
    section: null,
  },
  unavailable: {
    icon: Icons.LockKeyhole,
    word: 'Unreadable',
    tone: 'invalid',
    meaning: 'It was encrypted with another key, so this machine cannot read it. Authorize again.',
    section: null,
  },
}

const events: Readonly<Record<TokenEvent['kind'], EventLabel>> = {
  issued: { icon: Icons.Check, word: 'Issued', tone: 'valid' },
  due: { icon: Icons.Hourglass, word: 'Due', tone: 'warning' },
  expired: { icon: Icons.Clock, word: 'Expired', tone: 'warning' },
  refreshed: { icon: Icons.RefreshCw, word: 'Refreshed', tone: 'valid' },
  refresh_failed: { icon: Icons.TriangleAlert, word: 'Refresh failed', tone: 'invalid' },
  refresh_unreached: { icon: Icons.Unplug, word: 'Refresh postponed', tone: 'warning' },
  unauthorized: { icon: Icons.X, word: 'Got 401', tone: 'invalid' },
  forbidden: { icon: Icons.X, word: 'Got 403', tone: 'invalid' },
  revoked: { icon: Icons.CircleSlash, word: 'Revoked', tone: 'invalid' },
  replaced: { icon: Icons.Replace, word: 'Replaced', tone: 'info' },
  forgotten: { icon: Icons.Eraser, word: 'Revoked locally', tone: 'unsigned' },
}

/** The state of a token as an icon and a word. */
export function TokenStateMark({ state }: { state: TokenState }) {
  const { word, tone, icon } = tokenStates[state]
  return <StateMark tone={tone} icon={icon} word={word} />
}

/** An event in the history of a token as an icon and a word. */
export function TokenEventMark({ kind }: { kind: TokenEvent['kind'] }) {
  return <StateMark {...events[kind]} />
}
