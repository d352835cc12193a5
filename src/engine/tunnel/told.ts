import type { Clock } from '../clock.ts'
import type { AttemptTold } from './attempt.ts'
import type { BackOff } from './back-off.ts'
import type { OpenTunnel } from './provider.ts'
import { why } from './sentences.ts'
import type { Standing } from './standing.ts'

export interface ToldParts {
  readonly clock: Clock
  readonly standing: Standing
  readonly backOff: BackOff
  readonly opened: (tunnel: OpenTunnel) => void
  /** It was found to lead here, for the first time. */
  readonly cameUp: () => void
  readonly stuck: () => void
}

/** What becomes of the standing when something is told of an attempt. */
export function toldTo(parts: ToldParts): AttemptTold {
  const { clock, standing, backOff } = parts
  let isUp = false
  return {
    opened: (tunnel) => {
      standing.stay(why.assigned(standing.view.cause, tunnel.url), { url: tunnel.url })
      parts.opened(tunnel)
    },
    stands: (state, because) => {
      switch (state) {
        case 'coming':
          return standing.stay(because)
        case 'degraded':
          backOff.notOnline(clock.now())
          return standing.stand('degraded', because, { failures: 0 })
        case 'online':
          backOff.online(clock.now())
          standing.stand('online', because, { failures: 0 })
          if (!isUp) parts.cameUp()
          isUp = true
      }
    },
    probed: (probe) => standing.note({ probe }),
    next: (nextProbeAt) => standing.note({ nextProbeAt }),
    connections: (open, most) => standing.note({ connections: { open, most } }),
    stuck: parts.stuck,
  }
}
