import type { ScriptRun } from '#contract/scripts.ts'
import type { AskResponse, SendWrites, Skip, PassResponse, SenderEvent } from './messages.ts'
import type { SettledItem, AttemptFields } from './store/attempt-rows.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import type { Captured } from '../deliveries/store.ts'
import type { Db } from '../platform/sqlite.ts'
import type { Progress } from '../capture/progress.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import type { Wire } from './wire/wire.ts'
import type { SenderConfiguration } from './sender-configuration.ts'

/** Writes attempts in groups, in order. */
export interface Recorder {
  /** Resolves to the stored summary, or null if the delivery was deleted. */
  record(attempt: AttemptFields): Promise<AttemptSummary | null>
  /** Like `record`, without the summary, which would cost as much as the rest. */
  note(attempt: AttemptFields): Promise<unknown>
  settle(item: SettledItem): Promise<void>
  /** Dropped while many are waiting for a store that cannot be written. */
  skip(skip: Skip): void
  /** Resolves when everything recorded before is stored. */
  flush(): Promise<void>
  /** Like `flush`, but gives up after a few seconds and rejects the remaining entries. */
  close(): Promise<void>
}

export interface SenderParts {
  readonly configuration: SenderConfiguration
  readonly wire: Wire
  readonly db: Db
  readonly captured: (id: number) => Captured | null
  readonly writes: ThreadClient<SendWrites>
  readonly recorder: Recorder
  readonly progress: Progress
  readonly publish: (event: SenderEvent) => void
  /** Runs a script by name. With an owner, the call counts for its state, and a failure becomes a finding of the delivery. */
  readonly runScript: (name: string, owner: string | null, delivery: Captured) => Promise<ScriptRun>
  /** To the capture thread. */
  readonly respond: (response: PassResponse | AskResponse) => void
}
