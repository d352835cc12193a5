import type { ScriptRun } from '#contract/scripts.ts'
import type { SendWrites, SenderEvent } from './messages.ts'
import type { AskResponse, PassResponse } from '../receiving/listener/messages.ts'
import type { Captured } from '../deliveries/store.ts'
import type { Db } from '../platform/sqlite.ts'
import type { Progress } from '../platform/progress.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import type { Wire } from './wire/wire.ts'
import type { Recorder } from './recorder.ts'
import type { SenderConfiguration } from './sender-configuration.ts'

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
