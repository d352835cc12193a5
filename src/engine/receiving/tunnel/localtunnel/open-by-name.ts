import { setTimeout as pause } from 'node:timers/promises'
import {
  type OpenTunnel,
  type ProviderDependencies,
  TunnelFailure,
  type ProviderEvents,
} from '../provider.ts'
import type { ClientData, ClientEvent, ClientCommand } from './names.ts'
import { Worker } from 'node:worker_threads'
import { heapLimits } from '../../../platform/heap-limits.ts'
import { messageOf } from '#shared/text/errors.ts'

interface OpenClient {
  readonly id: string
  readonly url: string
  readonly closed: OpenTunnel['closed']
}

const stopped = (): TunnelFailure =>
  new TunnelFailure('stopped', 'The tunnel was closed while it was being opened.')

/** A thread that does not confirm this soon that it has closed is terminated. */
const closeMs = 600

/** The thread is terminated, and waited for, when the tunnel closes, even while it opens or if it crashes. Rejects with `TunnelFailure`. */
function openClient(
  dependencies: ProviderDependencies,
  data: Omit<ClientData, 'network'>,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  if (signal.aborted) return Promise.reject(stopped())
  const opening = Promise.withResolvers<OpenClient>()
  const closed = Promise.withResolvers<TunnelFailure | null>()
  // With this variable set, the client prints messages of its server to our terminal.
  const { DEBUG: _unwanted, ...env } = dependencies.env
  const network = dependencies.network?.link() ?? null
  const workerData: ClientData = { ...data, network }
  const worker = new Worker(dependencies.tunnelThread, {
    workerData,
    transferList: network ? [network.port] : [],
    env,
    resourceLimits: heapLimits.tunnel,
  })
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
    const command: ClientCommand = 'close'
    worker.postMessage(command)
    deadline = setTimeout(() => void end(null), closeMs)
  }
  const died = (why: string): void => {
    const text = `The localtunnel client stopped unexpectedly (${why}).`
    void end(signal.aborted ? null : new TunnelFailure(opened ? 'ended' : 'internal', text))
  }

  worker.on('message', (message: ClientEvent) => {
    if (ending) return
    // Messages that were sent before it closed no longer matter.
    if (signal.aborted && message.event !== 'closed') return
    switch (message.event) {
      case 'opened':
        opened = true
        opening.resolve({ id: message.id, url: message.url, closed: closed.promise })
        return
      case 'connections':
        events.connections(message.open, message.most)
        return
      case 'failed': {
        const { fault } = message
        void end(new TunnelFailure(fault.code, fault.message, { retry: fault.retry }))
        return
      }
      case 'ended':
        void end(new TunnelFailure('ended', message.reason))
        return
      case 'closed':
        void end(null)
    }
  })
  worker.on('error', (error) => died(messageOf(error)))
  worker.on('exit', (code) => died(`exit ${code}`))
  signal.addEventListener('abort', close, { once: true })
  return opening.promise
}

/** The server reserves a name for a second after the client's last connection has closed. */
const nameReservedMs = 1300

/** If another name was assigned than was requested, retries once: our own previous tunnel often still holds it. Rejects with `TunnelFailure`. */
export async function openByName(
  dependencies: ProviderDependencies,
  request: Omit<ClientData, 'network'>,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  const retrying = new AbortController()
  const client = await openClient(
    dependencies,
    request,
    events,
    AbortSignal.any([signal, retrying.signal]),
  )
  if (request.name === null || request.name === client.id || signal.aborted) return client
  retrying.abort()
  await client.closed
  try {
    await pause(nameReservedMs, undefined, { signal })
  } catch {
    throw stopped()
  }
  return openClient(dependencies, request, events, signal)
}
