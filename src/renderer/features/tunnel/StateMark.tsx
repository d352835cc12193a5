import { Icons, type Icon } from '../../ui/icons.tsx'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { cx, Row } from '../../ui/Layout.tsx'
import { useShell } from '../../state/app.ts'
import { tunnelStateLabels, unknownState } from '../../state/tunnel-labels.ts'

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
export function TunnelIcon({ state }: { readonly state: TunnelStateName | null }) {
  const StateIcon = state === null ? Icons.CircleHelp : icons[state]
  const turning = state === 'opening' || state === 'reconnecting'
  return <StateIcon aria-hidden className={cx(turning && 'turning', 'tone-state')} />
}

/** The tunnel state as a small label, next to a URL or in a list. */
export function StateTag({ state }: { readonly state: TunnelStateName }) {
  const stale = useShell((shell) => shell.stale)
  const { word, tone } = stale ? unknownState : tunnelStateLabels[state]
  return (
    <Row
      as="span"
      inline
      align="baseline"
      gap={2}
      fixed
      tone="state"
      size="s"
      weight="semibold"
      nowrap
      data-tone={tone}
    >
      <TunnelIcon state={stale ? null : state} />
      {word}
    </Row>
  )
}
