import { Icons, type Icon } from '#kit/icons.tsx'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { cx } from '#kit/cx.ts'
import { useShell } from '#client/state/app.ts'
import { tunnelStateLabels, unknownState } from '#client/state/tunnel-labels.ts'

/** Whether the tunnel should be online but has a problem. */
export function needsAttention(state: TunnelStateName): boolean {
  return state === 'degraded' || state === 'reconnecting' || state === 'offline'
}

const icons = {
  off: Icons.GlobeOff,
  opening: Icons.LoaderCircle,
  online: Icons.Globe,
  degraded: Icons.CloudAlert,
  offline: Icons.GlobeX,
  reconnecting: Icons.RefreshCw,
} as const satisfies Record<TunnelStateName, Icon>

/** A different icon for each state. Null: the state is unknown. */
export function TunnelIcon({ state }: { state: TunnelStateName | null }) {
  const StateIcon = state === null ? Icons.CircleHelp : icons[state]
  const turning = state === 'opening' || state === 'reconnecting'
  return <StateIcon aria-hidden className={cx(turning && 'turning', 'text-tone')} />
}

/** The tunnel state as a small label, next to a URL or in a list. */
export function StateTag({ state }: { state: TunnelStateName }) {
  const stale = useShell((shell) => shell.stale)
  const { word, tone } = stale ? unknownState : tunnelStateLabels[state]
  return (
    <span
      className="baseline inline-flex flex-none gap-2 text-s font-semibold whitespace-nowrap text-tone"
      data-tone={tone}
    >
      <TunnelIcon state={stale ? null : state} />
      {word}
    </span>
  )
}
