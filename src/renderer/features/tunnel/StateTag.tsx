import type { TunnelStateName } from '#contract/tunnel.ts'
import { TunnelIcon } from './StateIcon.tsx'
import { stateWords } from './words.ts'
import './TunnelChip.css'

/** How the tunnel stands, small: beside an address, in a list. */
export function StateTag({ state }: { readonly state: TunnelStateName }) {
  const { word, tone } = stateWords[state]
  return (
    <span className="tunnel-tag" data-tone={tone}>
      <TunnelIcon state={state} />
      {word}
    </span>
  )
}
