import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/ports.ts'
import { warnIfSlow, type TunnelTimings } from './timings.ts'
import {
  TunnelFailure,
  type OpenTunnel,
  type OpenOptions,
  type ProviderDependencies,
  type TunnelProvider,
  type TunnelSigns,
} from './provider.ts'
import { why } from './sentences.ts'

export interface OpeningParts {
  readonly world: ProviderDependencies
  readonly clock: Clock
  readonly log: Log
  readonly pace: TunnelTimings
  /** The provider was told to give up, and has not for a long time. */
  readonly stuck: () => void
}

/**
 * Opens a tunnel within its time. Returns why it failed, or null when it was given up from outside: then nothing of it is left, however long
 * that takes. `abort` gives it up, and closes it later.
 */
export async function openTunnel(
  provider: TunnelProvider,
  wish: OpenOptions,
  signs: TunnelSigns,
  abort: AbortController,
  parts: OpeningParts,
): Promise<OpenTunnel | TunnelFailure | null> {
  const { clock, log, pace, world } = parts
  if (abort.signal.aborted) return null
  let late = false
  // A provider that throws at once fails like one that rejects.
  const opening = (async () => provider.open(wish, world, signs, abort.signal))()
  const end = new Promise<void>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(), { once: true })
    opening.then(
      () => resolve(),
      () => resolve(),
    )
  })
  const callOff = clock.after(pace.openWithin, () => {
    late = true
    abort.abort()
  })
  await end
  callOff()
  const settled = async (): Promise<OpenTunnel | TunnelFailure> => {
    try {
      const tunnel = await opening
      // It came while it was given up: it is closed like any other.
      if (abort.signal.aborted) await tunnel.closed
      return tunnel
    } catch (error) {
      if (error instanceof TunnelFailure) return error
      if (abort.signal.aborted) return failureOf(why.closed())
      return failureOf(
        why.internal(
          provider.label,
          'be opened',
          log.error('a tunnel could not be opened', nameOf(error)),
        ),
      )
    }
  }
  if (!abort.signal.aborted) return settled()
  await warnIfSlow(settled(), clock, pace.letGoWithin, parts.stuck)
  return late ? failureOf(why.openTimeout(provider.label, pace.openWithin)) : null
}

/** A failure after which it is tried again. */
export function failureOf({ cause, reason }: ReturnType<typeof why.never>): TunnelFailure {
  return new TunnelFailure(cause, reason)
}

/** What may be logged of an error: its message could hold what the user entered. */
function nameOf(error: unknown): Error {
  const told = new Error(error instanceof Error ? error.name : typeof error)
  const frames =
    error instanceof Error
      ? (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
      : []
  told.stack = [told.message, ...frames].join('\n')
  return told
}
