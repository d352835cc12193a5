import { Worker, type MessagePort } from 'node:worker_threads'
import type { CaptureConfig } from '../capture/messages.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import type { RelayApi, RelayEvent, RelayThreadData } from './messages.ts'

/** Starts on first use: only desktops with a relay load NATS. */
export class RelayThread {
  readonly #entry: URL
  readonly #writer: MessagePort
  readonly #config: () => CaptureConfig
  readonly #on: { event: (event: RelayEvent) => void; died: (error: Error) => void }
  #running: { readonly worker: Worker; readonly api: ThreadClient<RelayApi> } | null = null
  #isClosed = false

  constructor(
    entry: URL,
    writer: MessagePort,
    config: () => CaptureConfig,
    on: { event: (event: RelayEvent) => void; died: (error: Error) => void },
  ) {
    this.#entry = entry
    this.#writer = writer
    this.#config = config
    this.#on = on
  }

  get api(): ThreadClient<RelayApi> {
    return (this.#running ??= this.#start()).api
  }

  /** Null: it was not needed yet. */
  get started(): ThreadClient<RelayApi> | null {
    return this.#running?.api ?? null
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const running = this.#running
    if (!running) return this.#writer.close()
    try {
      await running.api.call('stop')
    } finally {
      await running.worker.terminate()
    }
  }

  #start(): { worker: Worker; api: ThreadClient<RelayApi> } {
    if (this.#isClosed) throw new Error('the engine is closed')
    const workerData: RelayThreadData = { writer: this.#writer, config: this.#config() }
    const worker = new Worker(this.#entry, {
      workerData,
      transferList: [this.#writer],
      resourceLimits: heapLimits.relay,
    })
    worker.on('message', (message: RelayEvent | { rpc: string }) => {
      if ('event' in message && !this.#isClosed) this.#on.event(message)
    })
    worker.on('error', this.#on.died)
    return { worker, api: connectApi<RelayApi>(worker) }
  }
}
