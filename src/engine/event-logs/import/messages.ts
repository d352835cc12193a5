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

export interface ImportInput {
  /** Absolute path of the file. Null: the client sends it in pieces (`feed`). */
  readonly path: string | null
  readonly copy: CopyTask | null
  readonly name: string
  readonly part: string
}

export type ImportedLog = Omit<LibraryLog, 'id' | 'importedAt'>

export type ImportShape = {
  input: ImportInput
  output: ImportedLog
  reports: {
    progress: (progress: { read: number; deliveries: number; size?: number }) => void
  }
  calls: {
    /** Resolves when the thread can process more, and immediately if it has ended. */
    feed: (piece: { bytes: Uint8Array; end: boolean }) => Promise<void>
  }
}

export type ReadLog = Omit<ImportedLog, 'sha256' | 'name'>

export interface LogReader {
  /** Throws `log_unreadable`, `log_too_new`. */
  write(chunk: Buffer): void
  /** Call after the last chunk. `truncated`: why the file could not be read completely, as a sentence, or null. Throws the same errors as `write`. */
  finish(truncated: string | null): ReadLog
  close(): void
}
