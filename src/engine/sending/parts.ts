import type { SendWrites } from './store/send-writes.ts'
import type { SettledItem, AttemptFields } from './store/attempt-rows.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import type { Captured } from '../deliveries/store.ts'
import type { Db } from '../platform/sqlite.ts'
import type { Progress } from '../capture/progress.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import type { PassAnswer, SenderEvent } from './messages.ts'
import type { Wire } from './wire/wire.ts'
import type { SenderConfiguration } from './sender-configuration.ts'

/** Attempts on their way into the store: gathered, and written in order, in groups. */
export interface Recorder {
  /** Resolves to the summary once it is stored; null when its delivery is gone. Waits until its delivery is stored. */
  record(attempt: AttemptFields): Promise<AttemptSummary | null>
  /** The same, for many whose summaries nobody asks for: those cost as much as the rest of it. */
  note(attempt: AttemptFields): Promise<unknown>
  settle(item: SettledItem): Promise<void>
  /** Resolves when all that was given before is stored. */
  flush(): Promise<void>
  /** The same, but a store that cannot be written is not waited for longer than some seconds: what is left is refused. */
  close(): Promise<void>
}

/** What everything in the sender thread works with. */
export interface SenderParts {
  readonly world: SenderConfiguration
  readonly wire: Wire
  /** Read-only. */
  readonly db: Db
  readonly captured: (id: number) => Captured | null
  readonly writes: ThreadClient<SendWrites>
  readonly recorder: Recorder
  readonly progress: Progress
  readonly tell: (event: SenderEvent) => void
  readonly answerPass: (answer: PassAnswer) => void
}
