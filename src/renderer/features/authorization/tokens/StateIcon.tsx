import {
  Check,
  CircleSlash,
  Clock,
  Eraser,
  Hourglass,
  LockKeyhole,
  RefreshCw,
  Replace,
  TriangleAlert,
  Unplug,
  X,
  type Icon,
} from '../../../ui/icons.tsx'
import type { TokenEvent, TokenState } from '#contract/tokens.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import { tokenEventLabel, tokenStateLabel } from './labels.ts'

const states: Readonly<Record<TokenState, Icon>> = {
  active: Check,
  due: Hourglass,
  expired: Clock,
  suspect: TriangleAlert,
  revoked: CircleSlash,
  invalid: X,
  forgotten: Eraser,
  unavailable: LockKeyhole,
}

const events: Readonly<Record<TokenEvent['kind'], Icon>> = {
  issued: Check,
  due: Hourglass,
  expired: Clock,
  refreshed: RefreshCw,
  refresh_failed: TriangleAlert,
  refresh_unreached: Unplug,
  unauthorized: X,
  forbidden: X,
  revoked: CircleSlash,
  replaced: Replace,
  forgotten: Eraser,
}

/** The state of a token as an icon and a word. */
export function TokenStateMark({ state }: { readonly state: TokenState }) {
  const { word, tone } = tokenStateLabel(state)
  return <StateMark tone={tone} icon={states[state]} word={word} />
}

/** An event in the history of a token as an icon and a word. */
export function TokenEventMark({ kind }: { readonly kind: TokenEvent['kind'] }) {
  const { word, tone } = tokenEventLabel(kind)
  return <StateMark tone={tone} icon={events[kind]} word={word} />
}

/** Only the icon of a state, where the word is shown elsewhere. */
export function TokenStateIcon({ state }: { readonly state: TokenState }) {
  const Icon = states[state]
  return <Icon aria-hidden strokeWidth={2.8} />
}
