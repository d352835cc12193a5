import { Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads'
import { startWithLargerYoungGeneration } from './heap-limits.ts'
import type { Network } from './http/network.ts'
import { connectApi, type ThreadApi, type ThreadClient } from './rpc.ts'

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
  /** For a thread that handles thousands of requests a second. */
  readonly largerYoungGeneration?: boolean
}

interface Running<Api extends ThreadApi> {
  readonly worker: Worker
  readonly api: ThreadClient<Api>
}

/** A thread of the engine that serves calls and reports events as `{ event: … }`. It starts with the first call. */
export class Thread<Api extends ThreadApi, Event extends { event: string } = never> {
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

  /** `stop` lets it save and close everything first. The thread ends even if that fails. Can be called repeatedly. */
  close(stop?: (api: ThreadClient<Api>) => Promise<unknown>): Promise<void> {
    return (this.#closed ??= this.#close(stop))
  }

  #start(): Running<Api> {
    if (this.#closed) throw new Error('the engine is closed')
    const { entry, limits, ports = [], event, died, largerYoungGeneration } = this.#options
    const started = largerYoungGeneration ? startWithLargerYoungGeneration() : null
    const network = this.#options.network?.link()
    const worker = new Worker(entry, {
      workerData: { ...this.#options.data(), network },
      transferList: [...ports, ...(network ? [network.port] : [])],
      resourceLimits: limits,
    })
    if (started) worker.once('online', started)
    worker.on('message', (message: Event | { rpc: string }) => {
      if ('event' in message) event?.(message)
    })
    worker.on('error', died)
    return { worker, api: connectApi<Api>(worker) }
  }

  async #close(stop?: (api: ThreadClient<Api>) => Promise<unknown>): Promise<void> {
    if (!this.#running) {
      for (const port of this.#options.ports ?? []) port.close()
      return
    }
    const { worker, api } = this.#running
    try {
      await stop?.(api)
    } finally {
      await worker.terminate()
    }
  }
}
