import {
  type OpenTunnel,
  type TunnelProvider,
  type ProviderEvents,
  TunnelFailure,
} from '#engine/receiving/tunnel/provider.ts'
import type { OpenOptions } from './tunnel-rig.ts'

export interface OpenedTunnel extends AsyncDisposable {
  readonly tunnel: OpenTunnel
  readonly troubles: readonly string[]
  readonly connections: readonly (readonly [open: number, most: number])[]
  /** Closes the tunnel. Returns the result of `closed`. */
  readonly close: () => Promise<TunnelFailure | null>
}

export async function openTunnel(
  provider: TunnelProvider,
  { world, options }: OpenOptions,
  port: number,
  previousName: string | null = null,
): Promise<OpenedTunnel> {
  const troubles: string[] = []
  const connections: [number, number][] = []
  const events: ProviderEvents = {
    trouble: (reason) => void troubles.push(reason),
    connections: (open, most) => void connections.push([open, most]),
  }
  const abort = new AbortController()
  const tunnel = await provider.open({ port, options, previousName }, world, events, abort.signal)
  const close = () => {
    abort.abort()
    return tunnel.closed
  }
  return {
    tunnel,
    troubles,
    connections,
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}

/** Returns the `TunnelFailure` of a failed opening. Throws if it succeeds or fails with another error. */
export async function openingFailure(opening: Promise<unknown>): Promise<TunnelFailure> {
  try {
    await opening
  } catch (error) {
    if (error instanceof TunnelFailure) return error
    throw error
  }
  throw new Error('it opened')
}
