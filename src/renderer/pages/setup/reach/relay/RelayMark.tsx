import type { RelayView } from '#contract/relay.ts'
import { useShell } from '#client/state/app.ts'
import { relayStateLabels } from '#client/state/relay-labels.ts'
import { Icons, type Icon } from '#kit/icons.tsx'
import { StateMark } from '#kit/StateMark.tsx'

const icons = {
  paused: Icons.Pause,
  connecting: Icons.LoaderCircle,
  live: Icons.Check,
  offline: Icons.Unplug,
  refused: Icons.Ban,
  replaced: Icons.Replace,
} as const satisfies Record<RelayView['state'], Icon>

/** The state of a relay as an icon and a word. */
export function RelayMark({ state }: Pick<RelayView, 'state'>) {
  const stale = useShell((shell) => shell.stale)
  if (stale) return <StateMark tone="unsigned" icon={Icons.CircleQuestionMark} word="Unknown" />
  const { word, tone } = relayStateLabels[state]
  return <StateMark tone={tone} icon={icons[state]} word={capital(word)} />
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
