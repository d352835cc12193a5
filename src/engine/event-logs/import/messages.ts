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

/** What is told of a log beside its content's hash and its name. */
export type ReadLog = Omit<ImportedLog, 'sha256' | 'name'>

/** Reads one format from its bytes, as they come, into the store of a log. */
export interface LogReader {
  /** Throws `log_unreadable`, `log_too_new`. */
  take(chunk: Buffer): void
  /** No more follows. `torn`: why it could not be read to its end, as a sentence; null: it could. Throws as `take`. */
  finish(torn: string | null): ReadLog
  /** What it has put aside goes. Harmless after `finish`. */
  close(): void
}
