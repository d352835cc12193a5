import type { ErrorCode } from '#contract/errors.ts'
import type { EventLog } from '#contract/logs.ts'

export interface ImportThreadData {
  /** Absolute path of the file. Null: the client sends it in pieces (`feed`). */
  readonly path: string | null
  readonly name: string
  readonly part: string
}

export type ImportedLog = Omit<EventLog, 'id' | 'importedAt'>

/** Messages from the thread. After `done` and `failed`, its files are closed. */
export type ImportEvent =
  | { event: 'progress'; read: number; size: number | null; deliveries: number }
  | { event: 'done'; log: ImportedLog }
  | { event: 'failed'; code: ErrorCode; message: string }

export type ImportApi = {
  /** Resolves when the thread can process more, and immediately if it has ended. */
  feed: (piece: { bytes: Uint8Array; end: boolean }) => Promise<void>
}

export type ReadLog = Omit<ImportedLog, 'sha256' | 'name'>

export interface LogReader {
  /** Throws `log_unreadable`, `log_too_new`. */
  write(chunk: Buffer): void
  /** Call after the last chunk. `truncated`: why the file could not be read completely, as a sentence, or null. Throws the same errors as `write`. */
  finish(truncated: string | null): ReadLog
  close(): void
}
