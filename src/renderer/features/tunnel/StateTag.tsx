import type { TunnelStateName } from '#contract/tunnel.ts'
import { useShell } from '../shell/store.ts'
import { TunnelIcon } from './StateIcon.tsx'
import { tunnelStateLabels, unknownState } from './labels.ts'
import './TunnelChip.css'

/** How the tunnel stands, small: beside an address, in a list. */
export function StateTag({ state }: { readonly state: TunnelStateName }) {
  const stale = useShell((shell) => shell.stale)
  const { word, tone } = stale ? unknownState : tunnelStateLabels[state]
  return (
    <span className="tunnel-tag" data-tone={tone}>
      <TunnelIcon state={stale ? null : state} />
      {word}
    </span>
  )
}
