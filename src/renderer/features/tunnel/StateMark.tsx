import {
  CircleHelp,
  CloudAlert,
  Globe,
  GlobeOff,
  GlobeX,
  LoaderCircle,
  RefreshCw,
} from '../../ui/icons.tsx'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { Row } from '../../ui/Layout.tsx'
import { useShell } from '../../state/app.ts'
import { tunnelStateLabels, unknownState } from '../../state/tunnel-labels.ts'

/** Whether the tunnel should be online but has a problem. */
export function needsAttention(state: TunnelStateName): boolean {
  return state === 'degraded' || state === 'reconnecting' || state === 'offline'
}

/** A different icon for each state. Null: the state is unknown. */
export function TunnelIcon({ state }: { readonly state: TunnelStateName | null }) {
  switch (state) {
    case null:
      return <CircleHelp aria-hidden className="tone-state" />
    case 'off':
      return <GlobeOff aria-hidden className="tone-state" />
    case 'opening':
      return <LoaderCircle aria-hidden className="turning tone-state" />
    case 'online':
      return <Globe aria-hidden className="tone-state" />
    case 'degraded':
      return <CloudAlert aria-hidden className="tone-state" />
    case 'offline':
      return <GlobeX aria-hidden className="tone-state" />
    case 'reconnecting':
      return <RefreshCw aria-hidden className="turning tone-state" />
  }
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
