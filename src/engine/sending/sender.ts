import { Worker } from 'node:worker_threads'
import type { ForwardHealth } from '#contract/endpoint-rules.ts'
import { nothingHeld, type HoldState } from '#contract/hold.ts'
import type { Job } from '#contract/sending.ts'
import { Progress } from '../capture/progress.ts'
import { heapLimits, startWithLargerYoungGeneration } from '../platform/heap-limits.ts'
import type { Network } from '../platform/http/network.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import type { SenderApi, SenderConfig, SenderEvent, SenderThreadData } from './messages.ts'

export interface Sender {
  /** Starts the thread if it is not running. */
  readonly api: ThreadClient<SenderApi>
  /** Also starts the thread once there are a listener and forward targets. */
  configure(config: SenderConfig): Promise<void>
  health(): Promise<ForwardHealth[]>
  liveJobs(): Promise<Job[]>
  holdState(): Promise<HoldState>
  close(): Promise<void>
}

/** The thread starts when it is first needed, because most sessions and commands send nothing. */
export function createSender(
  entry: URL,
  data: Omit<SenderThreadData, 'network'>,
  network: Network,
  on: { event: (event: SenderEvent) => void; died: (error: Error) => void },
): Sender {
  const progress = new Progress(data.progress)
  let { config, followFrom } = data
  let running: { readonly worker: Worker; readonly api: ThreadClient<SenderApi> } | null = null
  const start = (): NonNullable<typeof running> => {
    const started = startWithLargerYoungGeneration()
    const link = network.link()
    const workerData: SenderThreadData = { ...data, config, followFrom, network: link }
    const worker = new Worker(entry, {
      workerData,
      transferList: [data.writer, data.capture, link.port],
      resourceLimits: heapLimits.sender,
    })
    worker.once('online', started)
    worker.on('message', (message: SenderEvent | { rpc: string }) => {
      if ('event' in message) on.event(message)
    })
    worker.on('error', on.died)
    return { worker, api: connectApi<SenderApi>(worker) }
  }
  return {
    get api() {
      return (running ??= start()).api
    },
    configure: async (next) => {
      // Deliveries that were stored while there were no forward targets are not forwarded to later ones.
      if (config.forwards.length === 0) followFrom = Math.max(followFrom, progress.storedId)
      config = next
      if (running) await running.api.call('configure', next)
      else if (next.listener !== null && (next.forwards.length > 0 || data.hasHeld))
        running = start()
    },
    health: async () => (await running?.api.call('health')) ?? [],
    holdState: async () => (await running?.api.call('holdState')) ?? nothingHeld,
    liveJobs: async () => (await running?.api.call('liveJobs')) ?? [],
    close: async () => {
      if (!running) {
        data.writer.close()
        data.capture.close()
        return
      }
      await running.api.call('stop')
      await running.worker.terminate()
    },
  }
}
