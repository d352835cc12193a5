import { Worker } from 'node:worker_threads'
import type { ForwardHealth } from '#contract/answering.ts'
import type { Job } from '#contract/sending.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import type { SenderApi, SenderConfig, SenderEvent, SenderThreadData } from './messages.ts'

export interface Sender {
  /** Starts the thread where it does not run yet. */
  readonly api: ThreadClient<SenderApi>
  /** Starts it as well once there is a listener, whose deliveries it forwards. */
  configure(config: SenderConfig): Promise<void>
  health(): Promise<ForwardHealth[]>
  /** Jobs that run or are paused, as they stand now. */
  liveJobs(): Promise<Job[]>
  close(): Promise<void>
}

/** The sender thread, which starts when it is first needed: a command that sends nothing need not pay for it. */
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
