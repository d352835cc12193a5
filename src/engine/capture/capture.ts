import { Worker } from 'node:worker_threads'
import type { RuleUse } from '#contract/endpoint-rules.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import type {
  CaptureApi,
  CaptureConfig,
  CaptureEvent,
  CaptureThreadData,
  Holding,
} from './messages.ts'

export interface Capture {
  /** Accessing it starts the thread. */
  readonly api: ThreadClient<CaptureApi>
  configure(config: CaptureConfig): Promise<void>
  hold(holding: Holding): Promise<void>
  closeTunnelListener(): Promise<void>
  releaseMemory(): Promise<void>
  /** Resolves when the writer has everything that was received before. */
  drained(): Promise<void>
  /** Stops accepting requests, finishes those in flight and ends the thread. Can be called repeatedly. */
  close(): Promise<void>
}

/** `graceMs`: how long connections stay open for requests in transit. `deadlineMs`: when requests in progress are cut off. */
const closing = { graceMs: 400, deadlineMs: 2500 }

/**
 * The thread starts on first use, because commands without a listener do not need it. Calls `failing` with a reason when deliveries cannot be stored,
 * and with null when they can be stored again.
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
  let { config, holding } = data
  let running: { readonly worker: Worker; readonly api: ThreadClient<CaptureApi> } | null = null
  const start = (): NonNullable<typeof running> => {
    const worker = new Worker(entry, {
      workerData: { ...data, config, holding },
      transferList: [data.sender, data.writer],
      resourceLimits: heapLimits.capture,
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
    if (!running) {
      data.writer.close()
      data.sender.close()
      return
    }
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
    hold: async (next) => {
      holding = next
      await running?.api.call('hold', next)
    },
    closeTunnelListener: async () => {
      await running?.api.call('closeTunnelListener')
    },
    releaseMemory: async () => {
      await running?.api.call('releaseMemory')
    },
    drained: async () => {
      // At its end, the thread does this itself.
      if (closed) await closed
      else await running?.api.call('drained')
    },
    close: () => (closed ??= close()),
  }
}
