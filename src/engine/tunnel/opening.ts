import { withoutMessage } from '../platform/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/ports.ts'
import type { TunnelTimings } from './timings.ts'
import {
  TunnelFailure,
  type OpenTunnel,
  type OpenOptions,
  type ProviderDependencies,
  type TunnelProvider,
  type ProviderEvents,
} from './provider.ts'
import { why } from './messages.ts'

export interface OpeningParts {
  readonly dependencies: ProviderDependencies
  readonly clock: Clock
  readonly log: Log
  readonly timings: TunnelTimings
}

/** Returns the tunnel, why it failed, or null if `abort` cancelled it and everything is closed. Later `abort` closes the tunnel. */
export async function openTunnel(
  provider: TunnelProvider,
  options: OpenOptions,
  events: ProviderEvents,
  abort: AbortController,
  parts: OpeningParts,
): Promise<OpenTunnel | TunnelFailure | null> {
  const { clock, log, timings, dependencies } = parts
  if (abort.signal.aborted) return null
  let timedOut = false
  const cancelTimer = clock.after(timings.openWithin, () => {
    timedOut = true
    abort.abort()
  })
  try {
    const tunnel = await provider.open(options, dependencies, events, abort.signal)
    if (!abort.signal.aborted) return tunnel
    // It opened while it was being cancelled.
    await tunnel.closed
  } catch (error) {
    if (!abort.signal.aborted) {
      if (error instanceof TunnelFailure) return error
      const logId = log.error('a tunnel could not be opened', withoutMessage(error))
      return failureOf(why.internal(provider.label, 'be opened', logId))
    }
  } finally {
    cancelTimer()
  }
  return timedOut ? failureOf(why.openTimeout(provider.label, timings.openWithin)) : null
}

export function failureOf({ cause, reason }: ReturnType<typeof why.never>): TunnelFailure {
  return new TunnelFailure(cause, reason)
}
