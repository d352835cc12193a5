import type { RelayView } from '#contract/relay.ts'
import { useShell } from '../../state/app.ts'
import { relayStateLabels } from '../../state/relay-labels.ts'
import {
  Ban,
  Check,
  CircleQuestionMark,
  LoaderCircle,
  Pause,
  Replace,
  Unplug,
  type Icon,
} from '../../ui/icons.tsx'
import { StateMark } from '../../ui/StateMark.tsx'

const icons = {
  paused: Pause,
  connecting: LoaderCircle,
  live: Check,
  offline: Unplug,
  refused: Ban,
  replaced: Replace,
} as const satisfies Record<RelayView['state'], Icon>

/** The state of a relay as an icon and a word. */
export function RelayMark({ state }: Pick<RelayView, 'state'>) {
  const stale = useShell((shell) => shell.stale)
  if (stale) return <StateMark tone="unsigned" icon={CircleQuestionMark} word="Unknown" />
  const { word, tone } = relayStateLabels[state]
  return <StateMark tone={tone} icon={icons[state]} word={capital(word)} />
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
