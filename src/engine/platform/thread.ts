import { Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads'
import type { Network } from './http/network.ts'
import { connectApi, type ThreadApi, type ThreadClient } from './rpc.ts'

/** It serves calls until `stop`, after which it has saved and closed everything. */
type StoppableApi = ThreadApi & { stop(input: never): unknown }

export interface ThreadOptions<Event> {
  readonly entry: URL
  readonly limits: ResourceLimits
  /** The `workerData`, asked for when the thread starts. */
  readonly data: () => object
  /** Of the data. They are transferred, or closed if the thread never starts. */
  readonly ports?: readonly MessagePort[]
  /** Its link is added to the data as `network`. */
  readonly network?: Network
  readonly event?: (event: Event) => void
  /** Calls that wait for it are rejected with the same error. */
  readonly died: (error: Error) => void
  /** Called when the thread runs. */
  readonly online?: () => void
}

interface Running<Api extends ThreadApi> {
  readonly worker: Worker
  readonly api: ThreadClient<Api>
}

/** A thread of the engine that serves calls and reports events as `{ event: … }`. It starts with the first call. */
export class Thread<Api extends StoppableApi, Event extends { event: string } = never> {
  readonly #options: ThreadOptions<Event>
  #running: Running<Api> | null = null
  #closed: Promise<void> | null = null

  constructor(options: ThreadOptions<Event>) {
    this.#options = options
  }

  /** Starts the thread if it is not running. */
  get api(): ThreadClient<Api> {
    return (this.#running ??= this.#start()).api
  }

  /** Null: it was not needed yet. */
  get started(): ThreadClient<Api> | null {
    return this.#running?.api ?? null
  }

  get closed(): Promise<void> | null {
    return this.#closed
  }

  /** Ends the thread even if it cannot be stopped. Can be called repeatedly. */
  close(...input: Parameters<Api['stop']>): Promise<void> {
    return (this.#closed ??= this.#close(input))
  }

  #start(): Running<Api> {
    if (this.#closed) throw new Error('the engine is closed')
    const { entry, limits, ports = [], event, died, online } = this.#options
    const network = this.#options.network?.link()
    const worker = new Worker(entry, {
      workerData: { ...this.#options.data(), network },
      transferList: [...ports, ...(network ? [network.port] : [])],
      resourceLimits: limits,
    })
    if (online) worker.once('online', online)
    worker.on('message', (message: Event | { rpc: string }) => {
      if ('event' in message) event?.(message)
    })
    worker.on('error', died)
    return { worker, api: connectApi<Api>(worker) }
  }

  async #close(input: Parameters<Api['stop']>): Promise<void> {
    if (!this.#running) {
      for (const port of this.#options.ports ?? []) port.close()
      return
    }
    const { worker, api } = this.#running
    try {
      await api.call('stop', ...input)
    } finally {
      await worker.terminate()
    }
  }
}
