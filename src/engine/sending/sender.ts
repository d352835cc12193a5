import { Worker } from 'node:worker_threads'
import type { ForwardHealth } from '#contract/answering.ts'
import type { Job } from '#contract/sending.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import type { SenderApi, SenderConfig, SenderEvent, SenderThreadData } from './messages.ts'

export interface Sender {
  /** Starts the thread if it is not running. */
  readonly api: ThreadClient<SenderApi>
  /** Also starts the thread once there is a listener, whose deliveries it forwards. */
  configure(config: SenderConfig): Promise<void>
  health(): Promise<ForwardHealth[]>
  /** The current running and paused jobs. */
  liveJobs(): Promise<Job[]>
  close(): Promise<void>
}

/** Creates the sender thread. It starts when it is first needed, so that a command that sends nothing does not start it. */
export function createSender(
  entry: URL,
  data: SenderThreadData,
  on: { event: (event: SenderEvent) => void; died: (error: Error) => void },
): Sender {
  let { config } = data
  let running: { readonly worker: Worker; readonly api: ThreadClient<SenderApi> } | null = null
  const start = (): NonNullable<typeof running> => {
    const worker = new Worker(entry, {
      workerData: { ...data, config },
      transferList: [data.writer, data.capture],
      resourceLimits: heapLimits.sender,
    })
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
      config = next
      if (running) await running.api.call('configure', next)
      else if (next.listener !== null) running = start()
    },
    health: async () => (await running?.api.call('health')) ?? [],
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
