import type { ErrorCode } from '#contract/errors.ts'
import type { LogWhat } from '#contract/logs.ts'
import type { LibraryLog } from '../store.ts'

/** Deliveries to copy instead of a file. */
export interface CopyTask {
  readonly storePath: string
  readonly what: LogWhat
  /** What `since:2h` is relative to. */
  readonly asOf: number
  readonly app: string
}

export interface ImportThreadData {
  /** Absolute path of the file. Null: the client sends it in pieces (`feed`). */
  readonly path: string | null
  readonly copy: CopyTask | null
  readonly name: string
  readonly part: string
}

export type ImportedLog = Omit<LibraryLog, 'id' | 'importedAt'>

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
