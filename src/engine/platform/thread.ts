import { Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads'
import { startWithLargerYoungGeneration } from './heap-limits.ts'
import type { Clock } from './clock.ts'
import type { Network } from './http/network.ts'
import { connectApi, type ThreadApi, type ThreadClient } from './rpc.ts'
import { setPriority } from 'node:os'

export interface ThreadOptions<Api extends ThreadApi, Event> {
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
  /** Ends a thread without ports after `ms` without calls and events; the next call starts it again. `stop` closes what it has open. */
  readonly idle?: {
    readonly clock: Pick<Clock, 'after'>
    readonly ms: number
    readonly stop: (api: ThreadClient<Api>) => Promise<unknown>
  }
  /** For a thread that handles thousands of requests a second. */
  readonly largerYoungGeneration?: boolean
}

interface Running<Api extends ThreadApi> {
  readonly worker: Worker
  readonly api: ThreadClient<Api>
}

/** A thread of the engine that serves calls and reports events as `{ event: … }`. It starts with the first call. */
export class Thread<Api extends ThreadApi, Event extends { event: string } = never> {
  readonly api: ThreadClient<Api> = { call: (name, ...input) => this.#call(name, input) }
  readonly #options: ThreadOptions<Api, Event>
  #running: Running<Api> | null = null
  #activeCalls = 0
  #cancelEnd: () => void = () => undefined
  #ending: Promise<void> | null = null
  #closed: Promise<void> | null = null

  constructor(options: ThreadOptions<Api, Event>) {
    this.#options = options
  }

  get started(): ThreadClient<Api> | null {
    return this.#closed || !this.#running ? null : this.api
  }

  get closed(): Promise<void> | null {
    return this.#closed
  }

  start(): void {
    this.#running ??= this.#start()
  }

  /** Like a call, for one that works without calls: starts it, or lets it run on. */
  wake(): void {
    if (this.#closed) return
    if (this.#ending) return void this.#ending.then(() => this.wake())
    this.start()
    this.#endWhenIdle()
  }

  /** `stop` lets it save and close everything first; without one, that of `idle`. The thread ends even if that fails. Can be called repeatedly. */
  close(stop?: (api: ThreadClient<Api>) => Promise<unknown>): Promise<void> {
    return (this.#closed ??= this.#close(stop))
  }

  async #call<N extends keyof Api & string>(
    name: N,
    input: Parameters<Api[N]>,
  ): Promise<Awaited<ReturnType<Api[N]>>> {
    this.#cancelEnd()
    this.#activeCalls += 1
    try {
      // A thread that is ending has closed what the call needs.
      while (this.#ending) await this.#ending
      return await (this.#running ??= this.#start()).api.call(name, ...input)
    } finally {
      this.#activeCalls -= 1
      this.#endWhenIdle()
    }
  }

  #endWhenIdle(): void {
    const { idle } = this.#options
    this.#cancelEnd()
    if (!idle || this.#activeCalls > 0 || !this.#running || this.#closed) return
    this.#cancelEnd = idle.clock.after(idle.ms, () => {
      const running = this.#running
      this.#running = null
      this.#ending = end(running, idle.stop)
        .catch(this.#options.died)
        .finally(() => (this.#ending = null))
    })
  }

  #start(): Running<Api> {
    if (this.#closed) throw new Error('the engine is closed')
    const { entry, limits, ports = [], event, died, idle, largerYoungGeneration } = this.#options
    const started = largerYoungGeneration ? startWithLargerYoungGeneration() : null
    const network = this.#options.network?.link()
    const worker = new Worker(entry, {
      workerData: { ...this.#options.data(), network },
      transferList: [...ports, ...(network ? [network.port] : [])],
      resourceLimits: limits,
    })
    if (started) worker.once('online', started)
    worker.on('message', (message: Event | { rpc: string }) => {
      if (!('event' in message)) return
      this.#endWhenIdle()
      event?.(message)
    })
    worker.on('error', (error) => {
      if (idle) this.#running = null
      died(error)
    })
    return { worker, api: connectApi<Api>(worker) }
  }

  async #close(stop?: (api: ThreadClient<Api>) => Promise<unknown>): Promise<void> {
    this.#cancelEnd()
    await this.#ending
    const { idle, died } = this.#options
    if (this.#running && !stop && idle) return end(this.#running, idle.stop).catch(died)
    if (this.#running) return end(this.#running, stop)
    for (const port of this.#options.ports ?? []) port.close()
  }
}

async function end<Api extends ThreadApi>(
  running: Running<Api> | null,
  stop?: (api: ThreadClient<Api>) => Promise<unknown>,
): Promise<void> {
  try {
    if (running) await stop?.(running.api)
  } finally {
    await running?.worker.terminate()
  }
}

/** Only on Linux: elsewhere it would affect the whole process. `nice`: 1 to 19, 19 is the lowest priority. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, nice)
  } catch {
    // Some containers do not allow it. It is only an optimization.
  }
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4))

/**
 * Blocks briefly, which lets a thread that waits for this processor run. Linux would otherwise wait up to 3 ms, even for a thread of higher priority.
 * Does nothing elsewhere, where a timer may take much longer than requested.
 */
export function yieldProcessor(): void {
  if (process.platform === 'linux') Atomics.wait(neverWoken, 0, 0, 0.02)
}
