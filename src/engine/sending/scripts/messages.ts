import type { Header, Verdict } from '#contract/models.ts'
import type { ScriptFailure, ScriptRun } from '#contract/scripts.ts'

export interface StoredScript {
  readonly name: string
  readonly source: string
  /** Milliseconds since the epoch. */
  readonly savedAt: number
}

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

/** The same for each run of a script on the same delivery. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Of `Math.random`: 32 bits. */
  readonly seed: number
}

/** Texts, because they cross faster than objects. */
export interface RunTask {
  readonly source: string
  readonly owner: string | null
  readonly state: string
  readonly moment: Moment
  /** As JSON. */
  readonly delivery: string
  readonly body: string
}

export type ScriptTask = RunTask | { readonly compile: string }

/** Of the script thread. One task at a time. */
export type ScriptApi = {
  /** Resolves when it can run scripts. */
  open: () => Promise<void>
  run: (task: ScriptTask) => Promise<ScriptRun>
}

export interface Position {
  readonly line: number | null
  readonly column: number | null
}

export const unknownPosition: Position = { line: null, column: null }

export class ScriptError extends Error {
  readonly failure: ScriptFailure

  constructor(code: ScriptFailure['code'], message: string, position: Position = unknownPosition) {
    super(message)
    this.failure = { code, message, ...position }
  }
}

export function failedRun(code: ScriptFailure['code'], message: string): ScriptRun {
  return failedBy(new ScriptError(code, message))
}

export function failedBy({ failure }: ScriptError): ScriptRun {
  return { result: { kind: 'failed', failure }, notes: [], log: [], state: '{}', durationMs: 0 }
}

export function failureText({ message, line, column }: ScriptFailure): string {
  if (line === null) return message
  return column === null ? `Line ${line}: ${message}` : `Line ${line}, column ${column}: ${message}`
}

/** Of the body that a script gets, and of the one that it returns. */
export const maxScriptBodyBytes = 1024 * 1024
