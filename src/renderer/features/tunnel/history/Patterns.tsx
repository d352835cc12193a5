import { tunnelStates } from '#contract/constants.ts'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { tunnelStateLabels } from '../../../state/tunnel-labels.ts'

export function patternFill(id: string, state: TunnelStateName): string {
  return `url(#${id}-${state})`
}

/** The fill pattern of each state, so that it is recognizable without color: online is solid, offline crossed, the others hatched or dotted. */
export function StatePatterns({ id }: { readonly id: string }) {
  return (
    <defs>
      {tunnelStates.map((state) => (
        <pattern
          key={state}
          id={`${id}-${state}`}
          className="strip-fill"
          data-tone={tunnelStateLabels[state].tone}
          data-quiet={state === 'online' || undefined}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
        >
          <Fill state={state} />
        </pattern>
      ))}
    </defs>
  )
}

function Fill({ state }: { readonly state: TunnelStateName }) {
  switch (state) {
    case 'off':
    case 'online':
      return <rect className="strip-ink" width={6} height={6} />
    case 'degraded':
      return (
        <>
          <rect className="strip-wash" width={6} height={6} />
          <path className="strip-stroke" d="M-1 1 1 -1M0 6 6 0M5 7 7 5" />
        </>
      )
    case 'opening':
    case 'reconnecting':
      return (
        <>
          <rect className="strip-wash" width={6} height={6} />
          <circle className="strip-ink" cx={3} cy={3} r={1.5} />
        </>
      )
    case 'offline':
      return (
        <>
          <rect className="strip-ink" width={6} height={6} />
          <path className="strip-gap" d="M-1 5 1 7M0 0 6 6M5 -1 7 1" />
        </>
      )
  }
}

/** The swatch of a state in the legend. */
export function Swatch({ state }: { readonly state: TunnelStateName }) {
  return (
    <svg
      className="strip-swatch strip-fill"
      data-tone={tunnelStateLabels[state].tone}
      data-quiet={state === 'online' || undefined}
      width={12}
      height={12}
      viewBox="0 0 6 6"
      aria-hidden
    >
      <Fill state={state} />
      {state === 'online' && <rect className="strip-line" width={6} height={1.2} />}
    </svg>
  )
}
