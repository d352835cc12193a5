import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import {
  type OpenTunnel,
  type OpenOptions,
  type ProviderDependencies,
  type ProviderEvents,
  TunnelFailure,
} from '#engine/receiving/tunnel/provider.ts'
import localtunnel from '#engine/receiving/tunnel/providers/localtunnel.ts'
import { listenOnLoopback } from './listen.ts'

export const tunnelThread = new URL('../../out/main/tunnel-thread.js', import.meta.url)

export interface StartedTunnel extends AsyncDisposable {
  readonly opening: Promise<OpenTunnel>
  readonly troubles: string[]
  connections(): { readonly open: number; readonly most: number } | null
  abort(): void
}

/** Opens a tunnel with the built provider, and closes it at the end of the test. */
export function startTunnel(
  options: Partial<OpenOptions> & Pick<OpenOptions, 'options'>,
  world: ProviderDependencies = { tunnelThread, env: {} },
): StartedTunnel {
  const troubles: string[] = []
  let newest: { open: number; most: number } | null = null
  const events: ProviderEvents = {
    trouble: (reason) => void troubles.push(reason),
    connections: (open, most) => {
      newest = { open, most }
    },
  }
  const controller = new AbortController()
  const opening = localtunnel.open(
    { port: 9, previousName: null, ...options },
    world,
    events,
    controller.signal,
  )
  opening.catch(() => undefined)
  return {
    opening,
    troubles,
    connections: () => newest,
    abort: () => controller.abort(),
    async [Symbol.asyncDispose]() {
      controller.abort()
      const tunnel = await opening.catch(() => null)
      await tunnel?.closed
    },
  }
}

/** Returns the `TunnelFailure` of a failed opening. Other errors are rethrown. */
export async function openingError(opening: Promise<unknown>): Promise<TunnelFailure> {
  const error = await opening.then(
    () => new Error('it was opened'),
    (cause: unknown) => cause,
  )
  if (error instanceof TunnelFailure) return error
  throw error
}

export interface LocalServer extends AsyncDisposable {
  readonly port: number
  readonly sockets: ReadonlySet<Socket>
  /** Closes the server with all its connections. */
  stop(): Promise<void>
  /** Opens it again on the same port. */
  start(): Promise<void>
}

export async function openLocalServer(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener)
  let listening = await listenOnLoopback(server)
  const stop = (): Promise<void> => listening.close()
  return {
    port: listening.port,
    get sockets() {
      return listening.sockets
    },
    stop,
    start: async () => {
      listening = await listenOnLoopback(server, listening.port)
    },
    [Symbol.asyncDispose]: stop,
  }
}
