import type { ErrorCode } from '#contract/errors.ts'
import type { EventLog } from '#contract/logs.ts'

/** What one import works on. */
export interface ImportThreadData {
  readonly kind: 'import'
  /** Absolute; null: it is fed. */
  readonly path: string | null
  /** What is shown as the name of the file. */
  readonly name: string
  /** Where its store is written, under a name of its own. */
  readonly part: string
}

/** A store of an older version is brought up to this one. */
export interface UpgradeThreadData {
  readonly kind: 'upgrade'
  readonly store: string
}

/** All that came of reading it. */
export type ImportedLog = Omit<EventLog, 'id' | 'importedAt'>

/** What the thread says unasked. After `done` and `failed` its files are closed. */
export type ImportEvent =
  | { event: 'progress'; read: number; size: number | null; deliveries: number }
  | { event: 'done'; log: ImportedLog }
  | { event: 'failed'; code: ErrorCode; message: string }

/** What is asked of it. */
export type ImportApi = {
  /** Resolves when more is wanted; at once when it has ended. */
  feed: (piece: { bytes: Uint8Array; end: boolean }) => Promise<void>
}
