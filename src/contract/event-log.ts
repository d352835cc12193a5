import * as z from 'zod'
import { Run } from './authorization.ts'
import { Delivery, Finding, Header, Id } from './models.ts'
import { CaseResult, Rehearsal, RehearsalRequest } from './rehearsal.ts'
import { Attempt } from './sending.ts'
import { TokenEvent } from './tokens.ts'

/*
 * The native event log: UTF-8, one JSON object per line (https://github.com/ndjson/ndjson-spec), with `kind` as first key. Order: the head;
 * integrations, endpoints, tokens and runs; the rehearsals, oldest first, each followed by its cases and each case by its requests; the deliveries, oldest
 * first, each followed by attempts that do not fit in its line and by the parts of its large bodies; the end. Readers skip lines of an unknown kind.
 */

/** The version that is written. Readers reject newer ones. */
export const eventLogVersion = 1

/** In bytes. A file with a longer line is not an event log. Of the smallest JSON values, it takes 860 MiB of memory. */
export const longestLine = 32 * 1024 * 1024
/** Larger bodies are written to separate lines. */
export const inlineBody = 1024 * 1024
/** Total size of bodies in one line. One byte can take six characters. */
export const lineBodies = 1.5 * inlineBody
/** Of the attempts in one line without bodies, in characters. Further attempts are written to separate lines. */
export const lineAttempts = 4 * 1024 * 1024

export const LogScope = z.object({
  filter: z.string(),
  /** Milliseconds since the epoch; null: open end. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** Individually selected deliveries; null: no selection. */
  selected: z.int().nonnegative().nullable(),
  /** All deliveries are in the trace of this one. */
  traceOf: Id.nullable(),
})
export type LogScope = z.infer<typeof LogScope>

export const LogHead = z.object({
  kind: z.literal('head'),
  format: z.literal('tabscope-event-log'),
  version: z.int().positive(),
  app: z.string(),
  /** ISO 8601, UTC. */
  exportedAt: z.string(),
  scope: LogScope,
  redaction: z.object({
    on: z.boolean(),
    /** Version of the list of what is shown as it is. Null: nothing is redacted. */
    list: z.int().positive().nullable(),
    /** Fields that the user has selected, as in `FieldChoice`. */
    kept: z.array(z.string()),
    masked: z.array(z.string()),
    note: z.string(),
  }),
  /** Found at the start. The end contains the written numbers. */
  counts: z.object({
    deliveries: z.int().nonnegative(),
    integrations: z.int().nonnegative(),
    endpoints: z.int().nonnegative(),
    tokens: z.int().nonnegative(),
    runs: z.int().nonnegative(),
    /** Absent: none. */
    rehearsals: z.int().positive().optional(),
  }),
})
export type LogHead = z.infer<typeof LogHead>

export const LogIntegration = z.object({
  kind: z.literal('integration'),
  id: Id,
  name: z.string(),
  brand: z.string(),
  baseUrl: z.string(),
  sandbox: z.boolean(),
})
export type LogIntegration = z.infer<typeof LogIntegration>

export const LogEndpoint = z.object({
  kind: z.literal('endpoint'),
  id: Id,
  integrationId: Id,
  name: z.string(),
  slug: z.string(),
  applicationId: z.string(),
  customHeaders: z.array(Header),
})
export type LogEndpoint = z.infer<typeof LogEndpoint>

/** Without its values. */
export const LogToken = z.object({
  kind: z.literal('token'),
  id: Id,
  integrationId: Id,
  label: z.string(),
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  expiresIn: z.int().nullable(),
  obtainedAt: z.number(),
  version: z.int().positive(),
  status: z.enum(['good', 'suspect', 'revoked', 'invalid', 'forgotten']),
  findings: z.array(Finding),
  events: z.array(TokenEvent),
})
export type LogToken = z.infer<typeof LogToken>

/** With secrets as markers. */
export const LogRun = z.object({ kind: z.literal('run'), run: Run })
export type LogRun = z.infer<typeof LogRun>

export const LogRehearsal = z.object({ kind: z.literal('rehearsal'), rehearsal: Rehearsal })
export type LogRehearsal = z.infer<typeof LogRehearsal>

/** Of the preceding rehearsal. */
export const LogRehearsalCase = z.object({
  kind: z.literal('rehearsal_case'),
  rehearsal: Id,
  result: CaseResult,
})
export type LogRehearsalCase = z.infer<typeof LogRehearsalCase>

/** At most 64 KiB. `text`: valid UTF-8; `base64`: any other bytes. */
const SmallBody = z.union([z.object({ text: z.string() }), z.object({ base64: z.string() })])

/** Of the preceding case. */
export const LogRehearsalRequest = z.object({
  kind: z.literal('rehearsal_request'),
  rehearsal: Id,
  request: RehearsalRequest.extend({ body: SmallBody, responseBody: SmallBody }),
})
export type LogRehearsalRequest = z.infer<typeof LogRehearsalRequest>

/** `text`: valid UTF-8; `base64`: any other bytes; `parts`: this number of `part` lines with this key follow; `omitted`: why it is not included. */
export const LogBody = z.union([
  z.object({ text: z.string() }),
  z.object({ base64: z.string() }),
  z.object({ parts: z.int().positive(), key: z.int().nonnegative() }),
  z.object({ omitted: z.string() }),
])
export type LogBody = z.infer<typeof LogBody>

export const LogAttempt = Attempt.extend({
  /** Null: the captured body. */
  requestBody: LogBody.nullable(),
  /** Null: none received, or not stored. */
  responseBody: LogBody.nullable(),
})
export type LogAttempt = z.infer<typeof LogAttempt>

/**
 * `verdict` applies to the captured delivery, independent of redaction. For a redacted body, `sha256` is no digest of it, but the same for equal bodies in
 * this file, and `bytes` is the length of the redacted body. For an omitted body, `bytes` is 0.
 */
export const LogDelivery = Delivery.omit({ noted: true, storedBytes: true }).extend({
  kind: z.literal('delivery'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  findings: z.array(Finding),
  body: LogBody,
  /** The signature of a redacted body cannot be verified again. */
  bodyRedacted: z.boolean(),
  /** Oldest first. */
  attempts: z.array(LogAttempt),
  /** They follow in `attempt` lines. */
  moreAttempts: z.int().positive().optional(),
  notForwarded: z.array(z.string()),
})
export type LogDelivery = z.infer<typeof LogDelivery>

/** Of the preceding delivery. */
export const LogAttemptLine = z.object({
  kind: z.literal('attempt'),
  delivery: Id,
  attempt: LogAttempt,
})
export type LogAttemptLine = z.infer<typeof LogAttemptLine>

/** Of a body of the preceding delivery. */
export const LogPart = z.object({
  kind: z.literal('part'),
  delivery: Id,
  key: z.int().nonnegative(),
  index: z.int().nonnegative(),
  base64: z.string(),
})
export type LogPart = z.infer<typeof LogPart>

/** Without the time, so that the same deliveries always have the same hash. */
export function hashedHead(line: string): string {
  return line.replace(/"exportedAt":"[^"]*"/, '"exportedAt":""')
}

/** The last line. If it is missing, the file is incomplete. */
export const LogEnd = z.object({
  kind: z.literal('end'),
  deliveries: z.int().nonnegative(),
  /** Before this one. */
  lines: z.int().nonnegative(),
  removed: z.record(z.string(), z.int().nonnegative()),
  /** Hex SHA-256 of all bytes before this line, the head as in `hashedHead`. */
  sha256: z.string(),
})
export type LogEnd = z.infer<typeof LogEnd>

export const LogLine = z.discriminatedUnion('kind', [
  LogHead,
  LogIntegration,
  LogEndpoint,
  LogToken,
  LogRun,
  LogDelivery,
  LogAttemptLine,
  LogPart,
  LogEnd,
  LogRehearsal,
  LogRehearsalCase,
  LogRehearsalRequest,
])
export type LogLine = z.infer<typeof LogLine>
