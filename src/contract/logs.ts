import * as z from 'zod'
import { feedLimit } from './constants.ts'
import { LogEndpoint, LogIntegration, LogScope, LogToken } from './event-log.ts'
import { Run } from './authorization.ts'
import { Bytes, Id, LogId, None } from './models.ts'
import { FieldChoice, KeptText, MaskedField, maxFieldChoices } from './masking.ts'

/** The engine has one file per format; the interface lists all of them. */
export const LogFormatView = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  /** Without the dot. */
  extension: z.string(),
  mediaType: z.string(),
  imports: z.enum(['complete', 'partial', 'none']),
  gzip: z.boolean(),
  /** The exported commands send the deliveries again, so that a `target` is needed. */
  sends: z.boolean().optional(),
  /** It can contain rehearsals. */
  rehearsals: z.boolean().optional(),
  /** With more deliveries, the file is hard to use. */
  comfortable: z.int().positive().nullable(),
})
export type LogFormatView = z.infer<typeof LogFormatView>

/** Later ones replace earlier ones of the same field. */
const Choices = z.array(FieldChoice).max(maxFieldChoices)

export const LogWhat = z.object({
  log: LogId,
  filter: z.string().max(4000).default(''),
  /** Time range in milliseconds since the epoch, `to` excluded; null: open end. */
  from: z.number().nullable().default(null),
  to: z.number().nullable().default(null),
  /** Null: no selection. */
  ids: z.array(Id).max(100_000).nullable().default(null),
  traceOf: Id.nullable().default(null),
})
export type LogWhat = z.infer<typeof LogWhat>

export const LogWith = z.object({
  attempts: z.boolean().default(true),
  notes: z.boolean().default(true),
  /** Integrations, endpoints, token timelines, and runs. */
  authorization: z.boolean().default(true),
  /** Absent: all if an imported log is exported completely, otherwise none. */
  rehearsals: z.union([z.enum(['all', 'none']), z.array(Id).max(1000)]).optional(),
  rehearsalRequests: z.boolean().optional(),
})
export type LogWith = z.infer<typeof LogWith>

const ExportOptions = z.object({
  what: LogWhat.prefault({}),
  format: z.string().max(40).default('ndjson'),
  redact: z.boolean().default(true),
  /** For this export, in addition to the saved ones. */
  choices: Choices.default([]),
  gzip: z.boolean().default(false),
  with: LogWith.prefault({}),
  /** For formats that send. Empty: the Tabscope listener. */
  target: z.string().trim().max(8000).default(''),
})

export const LogPreview = z.object({
  /** False: call again with the same key for more results. */
  complete: z.boolean(),
  examined: z.int().nonnegative(),
  deliveries: z.int().nonnegative(),
  rehearsals: z.int().positive().optional(),
  /** Of the examined part of the file, and estimated for the complete file. */
  bytes: z.int().nonnegative(),
  totalBytes: z.int().nonnegative(),
  /** Fields that are not documented first, at most 500. Empty if nothing is redacted. */
  fields: z.array(MaskedField),
  /** Each text that the file shows as it is, once, at most 500. */
  texts: z.array(KeptText),
  notes: z.array(z.string()),
})
export type LogPreview = z.infer<typeof LogPreview>

export const LogExport = z.object({
  id: Id,
  format: z.string(),
  /** Without folder. */
  name: z.string(),
  /** Null: the caller pulls the file in chunks. */
  path: z.string().nullable(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  redacted: z.boolean(),
  /** Written so far, and found at the start. */
  deliveries: z.int().nonnegative(),
  total: z.int().nonnegative(),
  rehearsals: z.int().positive().optional(),
  bytes: z.int().nonnegative(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  error: z.string().nullable(),
  removed: z.record(z.string(), z.int().nonnegative()),
  /** Fields of `choices` that no delivery has. Absent: none. */
  unknownFields: z.array(z.string()).optional(),
})
export type LogExport = z.infer<typeof LogExport>

/** Read-only and separate from the live store. */
export const EventLog = z.object({
  id: Id,
  /** Without folder. */
  name: z.string(),
  /** `requests`: of the tool in `app`. */
  format: z.enum(['ndjson', 'har', 'requests']),
  /** Of the format; null: not written by Tabscope. */
  version: z.int().nullable(),
  app: z.string(),
  exportedAt: z.number().nullable(),
  importedAt: z.number(),
  redacted: z.boolean().nullable(),
  /** Null: not redacted, or unknown. `list`: version of the list of what is shown as it is. */
  redaction: z
    .object({
      list: z.int().positive().nullable(),
      kept: z.array(z.string()),
      masked: z.array(z.string()),
      removed: z.record(z.string(), z.int().nonnegative()),
    })
    .nullable(),
  scope: LogScope.nullable(),
  deliveries: z.int().nonnegative(),
  rehearsals: z.int().positive().optional(),
  /** Headers and bodies. */
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  /** `complete`: unchanged since it was written; `cut_off`: the end is missing; `changed`: it was edited; `unverified`: it has no hash. */
  state: z.enum(['complete', 'cut_off', 'changed', 'unverified']),
  /** What is missing or was skipped, at most 100. */
  problems: z.array(z.string()),
})
export type EventLog = z.infer<typeof EventLog>

export const LogImport = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  deliveries: z.int().nonnegative(),
  /** In bytes; `size` null: unknown. */
  read: z.int().nonnegative(),
  size: z.int().nonnegative().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  logId: Id.nullable(),
  /** The file was imported before as `logId`. */
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
  choices: z.array(FieldChoice),
})
export type LogsView = z.infer<typeof LogsView>

export const logCalls = {
  'logs.formats': { input: None, output: z.array(LogFormatView) },
  /** What an export would contain. `key` is chosen by the caller: calls with the same key continue the work. Throws `bad_filter`, `bad_input`. */
  'logs.preview': {
    input: ExportOptions.extend({ key: z.string().min(1).max(60) }),
    output: LogPreview,
  },
  /**
   * `to`: `file` is an absolute path, written under a temporary name until it is complete; `ask` shows the host's save dialog (capability `nativeDialogs`);
   * `pull` returns the file in chunks to the owner of the ticket (`logs.pull`). Throws `bad_filter`, `bad_input`, `file_exists`, `file_failed`.
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
  /** An export that is not pulled for a minute is cancelled. `done` is set with or after the last chunk. Throws `not_found`, `file_failed`, `run_over`. */
  'logs.pull': {
    input: z.object({ ticket: z.string().max(100) }),
    output: z.object({
      bytes: Bytes,
      done: z.boolean(),
      /** Id of the export, for cancelling. */ id: Id,
    }),
  },
  /** No file remains under the final name. */
  'logs.cancelExport': { input: z.object({ id: Id }), output: LogExport },
  'logs.dismissExport': { input: z.object({ id: Id }), output: None },
  /** As `markdown`, `curl`, `fetch`, `ndjson`, `har`; a rehearsal only as `ndjson`. Truncated at 1 MiB. Throws `run_over` after 20 s. */
  'logs.text': {
    input: z.object({
      log: LogId,
      id: Id,
      of: z.enum(['delivery', 'rehearsal']).default('delivery'),
      format: z.string().max(40),
      redact: z.boolean().default(true),
      choices: Choices.default([]),
      target: z.string().trim().max(8000).default(''),
    }),
    output: z.object({ text: z.string(), removed: z.int().nonnegative(), cut: z.boolean() }),
  },
  /** `ask`: the host shows a dialog; `feed`: see `logs.feed`. Errors of the file are in the import's `error` (`log_unreadable`, `log_too_new`), not thrown. */
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
  /** Resolves when the next chunk can be sent. An import that is not fed for a minute is cancelled. Throws `run_over` after it has ended. */
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
  'logs.imported': { input: z.object({ id: Id }), output: LogImport },
  /** Deletes its data. */
  'logs.cancelImport': { input: z.object({ id: Id }), output: LogImport },
  'logs.dismissImport': { input: z.object({ id: Id }), output: None },
  'logs.list': { input: None, output: LogsView },
  /** The original file is not deleted. */
  'logs.remove': { input: z.object({ id: Id }), output: None },
  /** Runs: newest first, at most 200. */
  'logs.authorization': {
    input: z.object({ log: Id }),
    output: z.object({
      integrations: z.array(LogIntegration),
      endpoints: z.array(LogEndpoint),
      tokens: z.array(LogToken),
      runs: z.array(Run),
    }),
  },
  /** For all exports. */
  'logs.setChoices': {
    input: z.object({ choices: Choices }),
    output: LogsView,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
