import type { AttemptSummary } from '#contract/sending.ts'
import type { Progress } from '../capture/progress.ts'
import type { SendWrites } from '../store/send-writes.ts'
import type { ThreadClient } from '../threads/rpc.ts'
import { notYet } from './not-yet.ts'
import type { Recorder } from './parts.ts'

/** Writes attempts in groups, behind one another, each once its delivery is in the store. `made` hears of those that were stored. */
export function createRecorder(
  _writes: ThreadClient<SendWrites>,
  _progress: Progress,
  _made: (rows: AttemptSummary[]) => void,
): Recorder {
  return {
    record: async () => notYet('Recording'),
    settle: async () => notYet('Recording'),
    flush: async () => undefined,
  }
}
