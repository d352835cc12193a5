import { Worker } from 'node:worker_threads'
import type { RuleUse } from '#contract/answering.ts'
import { connectApi, type ThreadClient } from '../threads/rpc.ts'
import type { CaptureApi, CaptureEvent, CaptureThreadData } from './messages.ts'

export interface Capture {
  readonly api: ThreadClient<CaptureApi>
  /** Stops accepting, answers what is in flight, ends the thread. Once, however often it is called. */
  close(): Promise<void>
}

/** How long connections stay open for what is on its way, and how long the rest may take, in milliseconds. */
const closing = { graceMs: 400, deadlineMs: 2500 }

/** Starts the capture thread. `failing` is called when deliveries cannot be kept, and with null when they can again. */
export function startCapture(
  entry: URL,
  data: CaptureThreadData,
  on: {
    failing: (reason: string | null) => void
    used: (uses: RuleUse[]) => void
    died: (error: Error) => void
  },
): Capture {
  const worker = new Worker(entry, { workerData: data, transferList: [data.sender] })
  const api = connectApi<CaptureApi>(worker)
  worker.on('message', (message: CaptureEvent | { rpc: string }) => {
    if (!('event' in message)) return
    if (message.event === 'failing') on.failing(message.reason)
    else on.used(message.uses)
  })
  worker.on('error', on.died)
  let closed: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await api.call('stop', closing)
    await worker.terminate()
  }
  return { api, close: () => (closed ??= close()) }
}
