import type { RuleUse } from '#contract/endpoint-rules.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import { Thread } from '../../platform/thread.ts'
import type {
  CaptureApi,
  CaptureConfig,
  CaptureEvent,
  CaptureThreadData,
  Holding,
} from './messages.ts'

export type Capture = ReturnType<typeof createCapture>

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
) {
  let { config, holding } = data
  const thread = new Thread<CaptureApi, CaptureEvent>({
    entry,
    limits: heapLimits.capture,
    data: () => ({ ...data, config, holding }),
    ports: [data.sender, data.writer],
    event: (event) => (event.event === 'failing' ? on.failing(event.reason) : on.used(event.uses)),
    died: on.died,
  })
  return {
    api: thread.api,
    configure: async (next: CaptureConfig) => {
      config = next
      await thread.started?.call('configure', next)
    },
    hold: async (next: Holding) => {
      holding = next
      await thread.started?.call('hold', next)
    },
    closeTunnelListener: async () => {
      await thread.started?.call('closeTunnelListener')
    },
    releaseMemory: async () => {
      await thread.started?.call('releaseMemory')
    },
    /** Resolves when the writer has everything that was received before. At its end, the thread does this itself. */
    drained: async () => {
      await (thread.closed ?? thread.started?.call('drained'))
    },
    /** Stops accepting requests, finishes those in flight and ends the thread. Can be called repeatedly. */
    close: () => thread.close((api) => api.call('stop', closing)),
  }
}
