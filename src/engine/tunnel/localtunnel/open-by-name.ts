import { setTimeout as pause } from 'node:timers/promises'
import {
  type OpenTunnel,
  type ProviderDependencies,
  TunnelFailure,
  type TunnelSigns,
} from '../provider.ts'
import type { ClientData, ClientEvent, ClientOrder } from './names.ts'
import { Worker } from 'node:worker_threads'

/** What became of the client when it was asked for a tunnel. */
interface OpenClient {
  /** The name that was assigned. */
  readonly id: string
  readonly url: string
  readonly closed: OpenTunnel['closed']
}

const stopped = (): TunnelFailure =>
  new TunnelFailure('stopped', 'The tunnel was closed while it was being opened.')

/** A thread that does not say within so many milliseconds that it has closed is ended all the same. */
const closeMs = 600

/**
 * Opens a tunnel with the client in a thread of its own, which is ended, and waited for, with the tunnel: also while it opens, and whatever
 * happens in it. Rejects with `TunnelFailure`.
 */
function openClient(
  world: ProviderDependencies,
  data: ClientData,
  signs: TunnelSigns,
  signal: AbortSignal,
): Promise<OpenClient> {
  if (signal.aborted) return Promise.reject(stopped())
  const opening = Promise.withResolvers<OpenClient>()
  const closed = Promise.withResolvers<TunnelFailure | null>()
  // With this variable set, the client would print what its server says on our terminal.
  const { DEBUG: _unwanted, ...env } = world.env
  const worker = new Worker(world.tunnelThread, { workerData: data, env })
  let ending = false
  let opened = false
  let deadline: NodeJS.Timeout | undefined

  const end = async (failure: TunnelFailure | null): Promise<void> => {
    if (ending) return
    ending = true
    clearTimeout(deadline)
    signal.removeEventListener('abort', close)
    await worker.terminate()
    closed.resolve(failure)
    opening.reject(failure ?? stopped())
  }
  const close = (): void => {
    const order: ClientOrder = 'close'
    worker.postMessage(order)
    deadline = setTimeout(() => void end(null), closeMs)
  }
  const died = (why: string): void => {
    const message = `The tunnel's client stopped unexpectedly (${why}).`
    void end(signal.aborted ? null : new TunnelFailure(opened ? 'ended' : 'internal', message))
  }

  worker.on('message', (said: ClientEvent) => {
    if (ending) return
    // What was on its way when it was closed is of no interest any more.
    if (signal.aborted && said.event !== 'closed') return
    switch (said.event) {
      case 'opened':
        opened = true
        opening.resolve({ id: said.id, url: said.url, closed: closed.promise })
        return
      case 'connections':
        signs.connections(said.open, said.most)
        return
      case 'trouble':
        signs.trouble(said.reason)
        return
      case 'failed': {
        const { code, message, retry } = said.fault
        void end(new TunnelFailure(code, message, { retry }))
        return
      }
      case 'ended':
        void end(new TunnelFailure('ended', said.reason))
        return
      case 'closed':
        void end(null)
    }
  })
  worker.on('error', (error) => died(error instanceof Error ? error.message : String(error)))
  worker.on('exit', (code) => died(`exit ${code}`))
  signal.addEventListener('abort', close, { once: true })
  return opening.promise
}

/** The server keeps a name for a second after the last connection of its client is gone. */
const nameKeptMs = 1300

/**
 * Opens a tunnel, and where another name was given than was asked for, closes it and asks once more, a little later: most often it is we ourselves who
 * had that name a moment ago. Rejects with `TunnelFailure`.
 */
export async function openByName(
  world: ProviderDependencies,
  wish: ClientData,
  signs: TunnelSigns,
  signal: AbortSignal,
): Promise<OpenClient> {
  const other = new AbortController()
  const client = await openClient(world, wish, signs, AbortSignal.any([signal, other.signal]))
  if (wish.name === null || wish.name === client.id || signal.aborted) return client
  other.abort()
  await client.closed
  try {
    await pause(nameKeptMs, undefined, { signal })
  } catch {
    throw stopped()
  }
  return openClient(world, wish, signs, signal)
}
