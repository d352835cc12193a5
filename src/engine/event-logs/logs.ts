import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogExport, LogImport, LogsView } from '#contract/logs.ts'
import type { ReaderApi } from '../store/reader-api.ts'
import type { ThreadClient } from '../platform/rpc.ts'

/** What leaves as a file and comes back: exports, imports, and the logs that are open beside the live store. */
export interface Logs {
  view(): LogsView
  formats(): CallOutput<'logs.formats'>
  preview(input: ParsedInput<'logs.preview'>): Promise<CallOutput<'logs.preview'>>
  export(input: ParsedInput<'logs.export'>): Promise<CallOutput<'logs.export'>>
  pull(ticket: string): Promise<CallOutput<'logs.pull'>>
  cancelExport(id: number): Promise<LogExport>
  dismissExport(id: number): void
  text(input: ParsedInput<'logs.text'>): Promise<CallOutput<'logs.text'>>
  import(input: ParsedInput<'logs.import'>): Promise<LogImport>
  feed(input: ParsedInput<'logs.feed'>): Promise<LogImport>
  imported(id: number): Promise<LogImport>
  cancelImport(id: number): Promise<LogImport>
  dismissImport(id: number): void
  remove(id: number): Promise<void>
  authorization(log: number): Promise<CallOutput<'logs.authorization'>>
  setRules(input: ParsedInput<'logs.setRules'>): Promise<LogsView>
  /** The queries over a log's deliveries. Throws `not_found`. */
  readerOf(log: number): Promise<ThreadClient<ReaderApi>>
  /** The name of a log. Throws `not_found`. */
  nameOf(log: number): string
  close(): Promise<void>
}
