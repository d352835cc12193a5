import type { StoreReads } from '../platform/store/store-port.ts'
import type { readJobs, readOpenJobs } from './store/jobs.ts'
import type { ForwardHealth } from '#contract/endpoint-rules.ts'
import { nothingHeld, type HoldState } from '#contract/hold.ts'
import type { Job } from '#contract/sending.ts'
import { Progress } from '../platform/progress.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import type { Network } from '../platform/http/network.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { Thread } from '../platform/thread.ts'
import type { SenderConfig, SenderEvent, SenderThreadData } from './messages.ts'
import type { SenderApi } from './worker.ts'

export interface Sender {
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
  const thread = new Thread<SenderApi, SenderEvent>({
    entry,
    limits: heapLimits.sender,
    largerYoungGeneration: true,
    data: () => ({ ...data, config, followFrom }),
    ports: [data.writer, data.capture],
    network,
    event: on.event,
    died: on.died,
  })
  return {
    api: thread.api,
    configure: async (next) => {
      // Deliveries that were stored while there were no forward targets are not forwarded to later ones.
      if (config.forwards.length === 0) followFrom = Math.max(followFrom, progress.storedId)
      config = next
      const isNeeded = next.listener !== null && (next.forwards.length > 0 || data.hasHeld)
      if (thread.started) await thread.started.call('configure', next)
      else if (isNeeded) thread.start()
    },
    health: async () => (await thread.started?.call('health')) ?? [],
    holdState: async () => (await thread.started?.call('holdState')) ?? nothingHeld,
    liveJobs: async () => (await thread.started?.call('liveJobs')) ?? [],
    close: () => thread.close((api) => api.call('stop')),
  }
}

export type JobStore = StoreReads<{ jobs: typeof readJobs; openJobs: typeof readOpenJobs }>

/** With the progress of those that run. */
export async function currentJobs(
  { sender, store }: { sender: Pick<Sender, 'liveJobs'>; store: JobStore },
  which: 'jobs' | 'openJobs',
): Promise<Job[]> {
  const live = await sender.liveJobs()
  const stored = await store.reader.call(which)
  const byId = new Map(live.map((job) => [job.id, job]))
  return stored.map((job) => byId.get(job.id) ?? job)
}
