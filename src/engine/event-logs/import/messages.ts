import type { EventLog } from '#contract/logs.ts'

export interface ImportInput {
  /** Absolute path of the file. Null: the client sends it in pieces (`feed`). */
  readonly path: string | null
  readonly name: string
  readonly part: string
}

export type ImportedLog = Omit<EventLog, 'id' | 'importedAt'>

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
