import { z } from 'zod'
import { LogEndpoint, LogIntegration, LogScope, LogToken } from './event-log.ts'
import { Run } from './authorization.ts'
import { Id, LogId } from './models.ts'
import { keepableClasses, removalClassNames, removalKinds } from './redaction.ts'

const None = z.object({})
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** Maximum size in bytes of one chunk of a file that the caller feeds to an import. */
export const feedLimit = 1024 * 1024

/** An export format. The engine has one file per format; the interface lists all of them. */
export const LogFormatView = z.object({
  /** `ndjson`, `har`, `html` ... */
  id: z.string(),
  label: z.string(),
  /** What the format is for. */
  description: z.string(),
  /** Without the dot. */
  extension: z.string(),
  mediaType: z.string(),
  /** Whether it can be imported again: completely, in part, or not. */
  imports: z.enum(['complete', 'partial', 'none']),
  /** Whether it can be compressed. */
  gzip: z.boolean(),
  /** True if the exported commands send the deliveries again, so that a `target` is needed. */
  sends: z.boolean().optional(),
  /** True if it can contain rehearsals. */
  rehearsals: z.boolean().optional(),
  /** Number of deliveries above which the file is hard to use; null: no limit. */
  comfortable: z.int().positive().nullable(),
})
export type LogFormatView = z.infer<typeof LogFormatView>

/** Redacts additional values: of a header by name, or at a path of a JSON body. */
export const RedactionRule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), name: z.string().trim().min(1).max(200) }),
  /** JSONPath (RFC 9535) without filters: `$.data.name`, `$.data.items[*].note`, `$..email`. */
  z.object({ kind: z.literal('path'), path: z.string().trim().min(1).max(500) }),
])
export type RedactionRule = z.infer<typeof RedactionRule>

/** Selects deliveries. All given conditions must match. */
export const LogWhat = z.object({
  log: LogId,
  filter: z.string().max(4000).default(''),
  /** Time range in milliseconds since the epoch, `to` excluded; null: open end. */
  from: z.number().nullable().default(null),
  to: z.number().nullable().default(null),
  /** Selected deliveries, or none of them; null: no selection. */
  ids: z.array(Id).max(100_000).nullable().default(null),
  /** All deliveries in the trace of this delivery. */
  traceOf: Id.nullable().default(null),
})
export type LogWhat = z.infer<typeof LogWhat>

/** Related data to include. */
export const LogWith = z.object({
  attempts: z.boolean().default(true),
  notes: z.boolean().default(true),
  /** Integrations, endpoints, token timelines, and authorization runs. */
  authorization: z.boolean().default(true),
  /** Rehearsals, with all of their requests: all, none, or those with these IDs. Absent: all if an imported log is exported completely, otherwise none. */
  rehearsals: z.union([z.enum(['all', 'none']), z.array(Id).max(1000)]).optional(),
  /** False: the cases of rehearsals without their requests. */
  rehearsalRequests: z.boolean().optional(),
})
export type LogWith = z.infer<typeof LogWith>

const ExportOptions = z.object({
  what: LogWhat.prefault({}),
  format: z.string().max(40).default('ndjson'),
  redact: z.boolean().default(true),
  /** Additional rules for this export only. */
  rules: z.array(RedactionRule).max(200).default([]),
  /** Classes of values that are not redacted. Secrets are always redacted. */
  keep: z.array(z.enum(keepableClasses)).max(keepableClasses.length).default([]),
  gzip: z.boolean().default(false),
  with: LogWith.prefault({}),
  /** Target URL for formats that send. Empty: the Tabscope listener. */
  target: z.string().trim().max(8000).default(''),
})

/** Redacted values at one location, in all deliveries. */
export const Removal = z.object({
  kind: z.enum(removalKinds),
  class: z.enum(removalClassNames),
  /** `header authorization`, `body data.handle`, `body data.guests[*].email`, `path`, `note`, `attempt header cookie`, `run` ... */
  location: z.string(),
  values: z.int().positive(),
  deliveries: z.int().nonnegative(),
  /** At most three. `was` is null for secrets, which are never shown here. */
  examples: z.array(
    z.object({ deliveryId: Id.nullable(), was: z.string().nullable(), becomes: z.string() }),
  ),
})
export type Removal = z.infer<typeof Removal>

export const LogPreview = z.object({
  /** False: still in progress. Call again with the same key for more results. */
  complete: z.boolean(),
  /** Number of examined deliveries, and of all selected deliveries. */
  examined: z.int().nonnegative(),
  deliveries: z.int().nonnegative(),
  /** Absent: none. */
  rehearsals: z.int().positive().optional(),
  /** Size of the examined part of the file, and estimated size of the complete file. */
  bytes: z.int().nonnegative(),
  totalBytes: z.int().nonnegative(),
  /** Sorted by number of values, at most 500 locations. */
  removals: z.array(Removal),
  /** Notes for the user. */
  notes: z.array(z.string()),
})
export type LogPreview = z.infer<typeof LogPreview>

/** An export and its progress. */
export const LogExport = z.object({
  id: Id,
  format: z.string(),
  /** File name without folder. */
  name: z.string(),
  /** Null: the caller pulls the file in chunks. */
  path: z.string().nullable(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  redacted: z.boolean(),
  /** Written deliveries, and the number found at the start. */
  deliveries: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** Written rehearsals. Absent: none. */
  rehearsals: z.int().positive().optional(),
  bytes: z.int().nonnegative(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
  /** Number of redacted values of each kind. */
  removed: z.record(z.string(), z.int().nonnegative()),
})
export type LogExport = z.infer<typeof LogExport>

/** An imported event log. It is read-only and separate from the live store. */
export const EventLog = z.object({
  id: Id,
  /** File name without folder. */
  name: z.string(),
  format: z.enum(['ndjson', 'har']),
  /** Format version in the file; null: not written by Tabscope. */
  version: z.int().nullable(),
  /** The application that wrote the file. */
  app: z.string(),
  exportedAt: z.number().nullable(),
  importedAt: z.number(),
  /** Null: unknown. */
  redacted: z.boolean().nullable(),
  scope: LogScope.nullable(),
  deliveries: z.int().nonnegative(),
  /** Absent: none. */
  rehearsals: z.int().positive().optional(),
  /** Size of headers and bodies. */
  bytes: z.int().nonnegative(),
  /** Hex SHA-256 of the uncompressed file. */
  sha256: z.string(),
  /** Time of the first and the last delivery in milliseconds since the epoch. */
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  /** `complete`: complete and unchanged since it was written; `cut_off`: the end is missing; `changed`: it was edited; `unverified`: it has no hash. */
  state: z.enum(['complete', 'cut_off', 'changed', 'unverified']),
  /** Descriptions of missing or skipped data, at most 100. */
  problems: z.array(z.string()),
})
export type EventLog = z.infer<typeof EventLog>

/** An import and its progress. */
export const LogImport = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  deliveries: z.int().nonnegative(),
  /** Bytes read, and size of the file if known. */
  read: z.int().nonnegative(),
  size: z.int().nonnegative().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The imported log. */
  logId: Id.nullable(),
  /** True if the file was imported before; `logId` is that log. */
  known: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type LogImport = z.infer<typeof LogImport>

export const LogsView = z.object({
  /** Most recently imported first. */
  logs: z.array(EventLog),
  /** Running ones, and finished ones that were not dismissed; most recently started first. */
  exports: z.array(LogExport),
  imports: z.array(LogImport),
  rules: z.array(RedactionRule),
})
export type LogsView = z.infer<typeof LogsView>

export const logCalls = {
  'logs.formats': { input: None, output: z.array(LogFormatView) },
  /**
   * Performs an export with the same options without writing it, and returns what it would contain. `key` is chosen by the caller: while `complete`
   * is false, calls with the same key continue the work. It stops when it is no longer called. Throws `bad_filter`, `bad_input`.
   */
  'logs.preview': {
    input: ExportOptions.extend({ key: z.string().min(1).max(60) }),
    output: LogPreview,
  },
  /**
   * Starts an export; `logs.changed` reports the progress. `to`: `file` is an absolute path, written under a temporary name until it is complete;
   * `ask` shows the host's save dialog (capability `nativeDialogs`); `pull` returns the file in chunks to the owner of the ticket (`logs.pull`).
   * Throws `bad_filter`, `bad_input`, `file_exists`, `file_failed`.
   */
  'logs.export': {
    input: ExportOptions.extend({
      to: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('file'),
          path: z.string().min(1).max(4000),
          overwrite: z.boolean().default(false),
        }),
        z.object({ kind: z.literal('ask'), name: z.string().min(1).max(200) }),
        z.object({ kind: z.literal('pull'), name: z.string().min(1).max(200) }),
      ]),
    }),
    /** `ticket`: only with `pull`. */
    output: z.object({ export: LogExport, ticket: z.string().nullable() }),
  },
  /**
   * Returns the next chunk. An export that is not pulled for a minute is cancelled. `done` is set with or after the last chunk. Throws
   * `not_found`, `file_failed` when it failed, `run_over` when it was cancelled.
   */
  'logs.pull': {
    input: z.object({ ticket: z.string().max(100) }),
    output: z.object({
      bytes: Bytes,
      done: z.boolean(),
      /** Id of the export, for cancelling. */ id: Id,
    }),
  },
  /** Cancels an export. No file remains under the final name. */
  'logs.cancelExport': { input: z.object({ id: Id }), output: LogExport },
  'logs.dismissExport': { input: z.object({ id: Id }), output: None },
  /**
   * Returns one delivery as text in a text format: `markdown`, `curl`, `httpie`, `fetch`, `ndjson`, `har`; or a rehearsal and its cases, without
   * their requests, as `ndjson`. Truncated at 1 MiB. Throws `run_over` after 20 s.
   */
  'logs.text': {
    input: z.object({
      log: LogId,
      /** Of the delivery or the rehearsal. */
      id: Id,
      of: z.enum(['delivery', 'rehearsal']).default('delivery'),
      format: z.string().max(40),
      redact: z.boolean().default(true),
      /** Classes of values that are not redacted. */
      keep: z.array(z.enum(keepableClasses)).max(keepableClasses.length).default([]),
      target: z.string().trim().max(8000).default(''),
    }),
    output: z.object({ text: z.string(), removed: z.int().nonnegative(), cut: z.boolean() }),
  },
  /**
   * Starts an import; `logs.changed` reports the progress. `path`: absolute path; `ask`: the host shows a dialog; `feed`: the caller sends the file
   * with `logs.feed`. Errors of the file are in the import's `error` (`log_unreadable`, `log_too_new`), not thrown.
   */
  'logs.import': {
    input: z.object({
      from: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('path'), path: z.string().min(1).max(4000) }),
        z.object({ kind: z.literal('ask') }),
        z.object({
          kind: z.literal('feed'),
          name: z.string().max(300),
          size: z.int().nonnegative().nullable().default(null),
        }),
      ]),
    }),
    output: LogImport,
  },
  /** Resolves when the next chunk can be sent. An import that is not fed for a minute is cancelled. Throws `run_over` after the import has ended. */
  'logs.feed': {
    input: z.object({
      id: Id,
      bytes: Bytes.refine(
        (bytes) => bytes.byteLength <= feedLimit,
        'Send at most 1 MiB at a time.',
      ),
      end: z.boolean(),
    }),
    output: LogImport,
  },
  /** Resolves when the import has ended. */
  'logs.imported': { input: z.object({ id: Id }), output: LogImport },
  /** Cancels an import and deletes its data. */
  'logs.cancelImport': { input: z.object({ id: Id }), output: LogImport },
  'logs.dismissImport': { input: z.object({ id: Id }), output: None },
  'logs.list': { input: None, output: LogsView },
  /** Removes the imported log. The original file is not deleted. */
  'logs.remove': { input: z.object({ id: Id }), output: None },
  /** Returns the integrations, endpoints, tokens and runs of the log. Runs: newest first, at most 200. */
  'logs.authorization': {
    input: z.object({ log: Id }),
    output: z.object({
      integrations: z.array(LogIntegration),
      endpoints: z.array(LogEndpoint),
      tokens: z.array(LogToken),
      runs: z.array(Run),
    }),
  },
  /** Sets the redaction rules for all exports. Throws `bad_input` for an invalid path. */
  'logs.setRules': {
    input: z.object({ rules: z.array(RedactionRule).max(200) }),
    output: LogsView,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
