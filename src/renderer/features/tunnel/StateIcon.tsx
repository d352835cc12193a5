import {
  CircleHelp,
  CloudAlert,
  Globe,
  GlobeOff,
  GlobeX,
  LoaderCircle,
  RefreshCw,
} from 'lucide-react'
import type { TunnelStateName } from '#contract/tunnel.ts'

/** A shape of its own for each state. Null: it is not known. */
export function TunnelIcon({ state }: { readonly state: TunnelStateName | null }) {
  switch (state) {
    case null:
      return <CircleHelp aria-hidden />
    case 'off':
      return <GlobeOff aria-hidden />
    case 'opening':
      return <LoaderCircle aria-hidden className="turning" />
    case 'online':
      return <Globe aria-hidden />
    case 'degraded':
      return <CloudAlert aria-hidden />
    case 'offline':
      return <GlobeX aria-hidden />
    case 'reconnecting':
      return <RefreshCw aria-hidden className="turning" />
  }
}
