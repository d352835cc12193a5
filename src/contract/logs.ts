import { z } from 'zod'
import { LogEndpoint, LogIntegration, LogScope, LogToken } from './event-log.ts'
import { Run } from './authorization.ts'
import { LogId } from './log-id.ts'
import { Id } from './models.ts'
import { keepableClasses, removalClassNames, removalKinds } from './redaction.ts'

const None = z.object({})
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** A piece of a file that is imported by the caller's hand, in bytes, at most. */
export const feedLimit = 1024 * 1024

/** One format in which deliveries leave. The engine has a file for each; the interface shows what there is. */
export const LogFormatView = z.object({
  /** `ndjson`, `har`, `html` ... */
  id: z.string(),
  label: z.string(),
  /** For whom and for what, in a sentence. */
  about: z.string(),
  /** Without the dot. */
  extension: z.string(),
  mediaType: z.string(),
  /** It can be imported again, as it was or as well as may be. */
  returns: z.enum(['whole', 'in_part', 'no']),
  /** May be compressed. */
  gzip: z.boolean(),
  /** What it writes sends the deliveries again, so that it is to be said where to (`target`). */
  sends: z.boolean().optional(),
  /** Above so many deliveries it is unwieldy where it is opened; null: never. */
  comfortable: z.int().positive().nullable(),
})
export type LogFormatView = z.infer<typeof LogFormatView>

/** Takes out, beside what is taken out by itself, the values of a header by name, or what stands at a path of a JSON body. */
export const RedactionRule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), name: z.string().trim().min(1).max(200) }),
  /** As in RFC 9535, without filters: `$.data.name`, `$.data.items[*].note`, `$..email`. */
  z.object({ kind: z.literal('path'), path: z.string().trim().min(1).max(500) }),
])
export type RedactionRule = z.infer<typeof RedactionRule>

/** Which deliveries: all that is said must hold. */
export const LogWhat = z.object({
  log: LogId,
  filter: z.string().max(4000).default(''),
  /** Received in this time, in milliseconds since the epoch, `to` excluded; null: no end. */
  from: z.number().nullable().default(null),
  to: z.number().nullable().default(null),
  /** Null: not by choice. */
  ids: z.array(Id).min(1).max(100_000).nullable().default(null),
  /** All that the trace of this delivery holds. */
  traceOf: Id.nullable().default(null),
})
export type LogWhat = z.infer<typeof LogWhat>

/** What belongs to deliveries and goes with them. */
export const LogWith = z.object({
  attempts: z.boolean().default(true),
  notes: z.boolean().default(true),
  /** Integrations, endpoints, the life of tokens, records of authorizations. */
  authorization: z.boolean().default(true),
})
export type LogWith = z.infer<typeof LogWith>

const Wish = z.object({
  what: LogWhat.prefault({}),
  format: z.string().max(40).default('ndjson'),
  redact: z.boolean().default(true),
  /** For this time, beside those that are kept. */
  rules: z.array(RedactionRule).max(200).default([]),
  /** Classes of values that stay in although the rest is redacted. What is a secret goes all the same. */
  keep: z.array(z.enum(keepableClasses)).max(keepableClasses.length).default([]),
  gzip: z.boolean().default(false),
  with: LogWith.prefault({}),
  /** For formats that send: where to. Empty: to our own listener. */
  target: z.string().trim().max(8000).default(''),
})

/** What is redacted at one place, over all deliveries. */
export const Removal = z.object({
  kind: z.enum(removalKinds),
  class: z.enum(removalClassNames),
  /** `header authorization`, `body data.handle`, `body data.guests[*].email`, `path`, `note`, `attempt header cookie`, `run` ... */
  place: z.string(),
  values: z.int().positive(),
  deliveries: z.int().nonnegative(),
  /** At most three. `was` is null for what is a secret: nobody needs to see it for this. */
  examples: z.array(
    z.object({ deliveryId: Id.nullable(), was: z.string().nullable(), becomes: z.string() }),
  ),
})
export type Removal = z.infer<typeof Removal>

export const LogPreview = z.object({
  /** False: it goes on; asking again with the same key tells more. */
  complete: z.boolean(),
  /** How many have been looked at, and how many there are. */
  looked: z.int().nonnegative(),
  deliveries: z.int().nonnegative(),
  /** Of the file, as far as it was looked at, and of all of it as far as can be told. */
  bytes: z.int().nonnegative(),
  bytesInAll: z.int().nonnegative(),
  /** Most values first, at most 500 places. */
  removals: z.array(Removal),
  /** What is to be known, as sentences. */
  notes: z.array(z.string()),
})
export type LogPreview = z.infer<typeof LogPreview>

/** One export, as it goes on. */
export const LogExport = z.object({
  id: Id,
  format: z.string(),
  /** Of the file, without its folder. */
  name: z.string(),
  /** Null: whoever asked takes it piece by piece. */
  path: z.string().nullable(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  redacted: z.boolean(),
  /** Written, and found at the beginning. */
  deliveries: z.int().nonnegative(),
  total: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Why it failed, as a sentence. */
  error: z.string().nullable(),
  /** How many values of each kind were taken out. */
  removed: z.record(z.string(), z.int().nonnegative()),
})
export type LogExport = z.infer<typeof LogExport>

/** An event log that was imported: read-only, beside the live store. */
export const EventLog = z.object({
  id: Id,
  /** Name of the file, without its folder. */
  name: z.string(),
  format: z.enum(['ndjson', 'har']),
  /** The format's version as it stood in the file; null: it has none of ours. */
  version: z.int().nullable(),
  /** What wrote it. */
  app: z.string(),
  exportedAt: z.number().nullable(),
  importedAt: z.number(),
  /** Null: it does not say. */
  redacted: z.boolean().nullable(),
  scope: LogScope.nullable(),
  deliveries: z.int().nonnegative(),
  /** Of heads and bodies. */
  bytes: z.int().nonnegative(),
  /** Hex SHA-256 of the file as it was read, uncompressed. */
  sha256: z.string(),
  /** `received_us` of the first and the last, in milliseconds since the epoch. */
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  /** `whole`: all is there, and unchanged since it was written; `cut_off`: the end is missing; `changed`: it was edited; `unproven`: it has no hash. */
  state: z.enum(['whole', 'cut_off', 'changed', 'unproven']),
  /** What is missing or was left out, as sentences; at most 100. */
  problems: z.array(z.string()),
})
export type EventLog = z.infer<typeof EventLog>

/** One import, as it goes on. */
export const LogImport = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  deliveries: z.int().nonnegative(),
  /** Bytes read, and of the whole file where that is known. */
  read: z.int().nonnegative(),
  size: z.int().nonnegative().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The log that came of it. */
  logId: Id.nullable(),
  /** It had been imported before: `logId` is that one. */
  known: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type LogImport = z.infer<typeof LogImport>

export const LogsView = z.object({
  /** Imported last first. */
  logs: z.array(EventLog),
  /** Those that run, and those that ended and were not dismissed; begun last first. */
  exports: z.array(LogExport),
  imports: z.array(LogImport),
  rules: z.array(RedactionRule),
})
export type LogsView = z.infer<typeof LogsView>

export const logCalls = {
  'logs.formats': { input: None, output: z.array(LogFormatView) },
  /**
   * What an export with the same wish would hold, by doing it without keeping it. `key` is chosen by the caller: while `complete` is false,
   * the same key goes on where it was, and what nobody asks for any more ends by itself. Throws `bad_filter`, `bad_input`.
   */
  'logs.preview': { input: Wish.extend({ key: z.string().min(1).max(60) }), output: LogPreview },
  /**
   * Begins at once; `logs.changed` tells the rest. `to`: `file` is an absolute path, written under another name until it is whole; `ask` has
   * the host ask for one (capability `nativeDialogs`); `pull` hands it out piece by piece to whoever has the ticket (`logs.pull`).
   * Throws `bad_filter`, `bad_input`, `file_exists`, `file_failed`.
   */
  'logs.export': {
    input: Wish.extend({
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
   * The next piece, once there is one. What is not pulled for a minute is cancelled. `done` comes with the last piece, or alone. Throws
   * `not_found`, `file_failed` when it failed, `run_over` when it was cancelled.
   */
  'logs.pull': {
    input: z.object({ ticket: z.string().max(100) }),
    output: z.object({
      bytes: Bytes,
      done: z.boolean(),
      /** Of the export, so that it can be cancelled. */ id: Id,
    }),
  },
  /** Nothing is left under the final name. */
  'logs.cancelExport': { input: z.object({ id: Id }), output: LogExport },
  'logs.dismissExport': { input: z.object({ id: Id }), output: None },
  /** One delivery as text, in a format that can be one: `markdown`, `curl`, `httpie`, `fetch`, `ndjson`, `har`. Cut at 1 MiB. Throws `run_over` after 20 s. */
  'logs.text': {
    input: z.object({
      log: LogId,
      id: Id,
      format: z.string().max(40),
      redact: z.boolean().default(true),
      /** Classes of values that stay in although the rest is redacted. */
      keep: z.array(z.enum(keepableClasses)).max(keepableClasses.length).default([]),
      target: z.string().trim().max(8000).default(''),
    }),
    output: z.object({ text: z.string(), removed: z.int().nonnegative(), cut: z.boolean() }),
  },
  /**
   * Begins at once; `logs.changed` tells the rest. `path`: absolute; `ask`: the host asks; `feed`: the caller hands it over by `logs.feed`.
   * What is wrong with the file is in the import's `error` (`log_unreadable`, `log_too_new`), not thrown.
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
  /** Resolves when more is wanted. What is not fed for a minute is cancelled. Throws `run_over` once the import has ended. */
  'logs.feed': {
    input: z.object({
      id: Id,
      bytes: Bytes.refine((bytes) => bytes.byteLength <= feedLimit, 'A piece is at most 1 MiB.'),
      end: z.boolean(),
    }),
    output: LogImport,
  },
  /** Waits until it has ended. */
  'logs.imported': { input: z.object({ id: Id }), output: LogImport },
  /** Nothing of it is kept. */
  'logs.cancelImport': { input: z.object({ id: Id }), output: LogImport },
  'logs.dismissImport': { input: z.object({ id: Id }), output: None },
  'logs.list': { input: None, output: LogsView },
  /** The import goes; the file it came from stays. */
  'logs.remove': { input: z.object({ id: Id }), output: None },
  /** Beside the deliveries: what the log tells of integrations, tokens and authorizations. Runs: newest first, at most 200. */
  'logs.authorization': {
    input: z.object({ log: Id }),
    output: z.object({
      integrations: z.array(LogIntegration),
      endpoints: z.array(LogEndpoint),
      tokens: z.array(LogToken),
      runs: z.array(Run),
    }),
  },
  /** The rules that each export follows. Throws `bad_input` for a path that cannot be read. */
  'logs.setRules': {
    input: z.object({ rules: z.array(RedactionRule).max(200) }),
    output: LogsView,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
