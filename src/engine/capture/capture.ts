import { Worker } from 'node:worker_threads'
import type { RuleUse } from '#contract/answering.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import type { CaptureApi, CaptureConfig, CaptureEvent, CaptureThreadData } from './messages.ts'

export interface Capture {
  /** Starts the thread where it does not run yet. */
  readonly api: ThreadClient<CaptureApi>
  configure(config: CaptureConfig): Promise<void>
  /** Closes the second way in. Where the thread does not run there is none, and it is not started for this. */
  closeDoor(): Promise<void>
  /** Stops accepting, answers what is in flight, ends the thread. Once, however often it is called. */
  close(): Promise<void>
}

/** How long connections stay open for what is on its way, and how long the rest may take, in milliseconds. */
const closing = { graceMs: 400, deadlineMs: 2500 }

/**
 * The capture thread, which starts when it is first asked for something: a command that listens to nothing need not pay for it. `failing` is
 * called when deliveries cannot be stored, and with null when they can again.
 */
export function createCapture(
  entry: URL,
  data: CaptureThreadData,
  on: {
    failing: (reason: string | null) => void
    used: (uses: RuleUse[]) => void
    died: (error: Error) => void
  },
): Capture {
  let { config } = data
  let running: { readonly worker: Worker; readonly api: ThreadClient<CaptureApi> } | null = null
  const start = (): NonNullable<typeof running> => {
    const worker = new Worker(entry, {
      workerData: { ...data, config },
      transferList: [data.sender],
    })
    worker.on('message', (message: CaptureEvent | { rpc: string }) => {
      if (!('event' in message)) return
      if (message.event === 'failing') on.failing(message.reason)
      else on.used(message.uses)
    })
    worker.on('error', on.died)
    return { worker, api: connectApi<CaptureApi>(worker) }
  }
  let closed: Promise<void> | null = null
  const close = async (): Promise<void> => {
    if (!running) return data.sender.close()
    try {
      await running.api.call('stop', closing)
    } finally {
      await running.worker.terminate()
    }
  }
  return {
    get api() {
      return (running ??= start()).api
    },
    configure: async (next) => {
      config = next
      await running?.api.call('configure', next)
    },
    closeDoor: async () => {
      await running?.api.call('closeDoor')
    },
    close: () => (closed ??= close()),
  }
}
