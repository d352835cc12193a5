import type { ImportedLog } from './messages.ts'

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
