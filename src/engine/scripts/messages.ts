import type { Header, Verdict } from '#contract/models.ts'

export interface StoredScript {
  readonly name: string
  readonly source: string
  /** Milliseconds since the epoch. */
  readonly savedAt: number
}

/** What a script gets, before it is written as JSON for the sandbox. */
export interface ScriptDelivery {
  readonly id: number
  readonly type: string | null
  /** Milliseconds since the epoch. The clock of the script stands still at this time. */
  readonly receivedAt: number
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly verdict: Verdict
  /** The name of its endpoint. */
  readonly endpoint: string | null
}

export interface ScriptCall {
  readonly script: Pick<StoredScript, 'name' | 'source'>
  /** Whose state it uses and changes, such as `forward 3`; null: only `state`, and nothing is kept. */
  readonly owner: string | null
  /** As JSON; used without an owner. */
  readonly state: string
  readonly delivery: ScriptDelivery
}
