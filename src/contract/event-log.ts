import { z } from 'zod'
import { Run } from './authorization.ts'
import { Delivery, Finding, Header, Id } from './models.ts'
import { Attempt } from './sending.ts'
import { TokenEvent } from './tokens.ts'

/*
 * The native event log: UTF-8, one JSON object a line (https://github.com/ndjson/ndjson-spec), `kind` first. In this order: the head;
 * integrations, endpoints, tokens and runs; the deliveries, oldest first, each followed by the attempts that have no room in its line, and
 * then by the parts of its large bodies; the end.
 */

/** The version that is written. A reader upgrades older ones, and refuses newer ones by their number. */
export const eventLogVersion = 1

/** No line is longer than this, in characters: what is longer is no event log. */
export const longestLine = 16 * 1024 * 1024
/** A body that takes more than so many bytes goes into lines of its own. */
export const inlineBody = 1024 * 1024
/** Bodies of one line together, in bytes: each may take six characters. */
export const lineBodies = 1.5 * inlineBody
/** Attempts of one line without their bodies, in characters; those behind them go into lines of their own. */
export const lineAttempts = 4 * 1024 * 1024

/** What was asked for, as it stands in a log's head. */
export const LogScope = z.object({
  filter: z.string(),
  /** Milliseconds since the epoch; null: no end. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** How many were chosen one by one; null: not by choice. */
  chosen: z.int().nonnegative().nullable(),
  /** The delivery whose trace this is. */
  traceOf: Id.nullable(),
})
export type LogScope = z.infer<typeof LogScope>

export const LogHead = z.object({
  kind: z.literal('head'),
  format: z.literal('tabscope-event-log'),
  version: z.int().positive(),
  /** The Tabscope that wrote it. */
  app: z.string(),
  /** ISO 8601, UTC. */
  exportedAt: z.string(),
  scope: LogScope,
  redaction: z.object({
    on: z.boolean(),
    /** The user's own rules, as they were written. */
    rules: z.array(z.string()),
    /** What a reader must know of it, as a sentence. */
    note: z.string(),
  }),
  /** What was found when it began; the end says what was written. */
  counts: z.object({
    deliveries: z.int().nonnegative(),
    integrations: z.int().nonnegative(),
    endpoints: z.int().nonnegative(),
    tokens: z.int().nonnegative(),
    runs: z.int().nonnegative(),
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

/** A token without the token: its life. */
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
  standing: z.enum(['good', 'suspect', 'revoked', 'invalid', 'forgotten']),
  findings: z.array(Finding),
  events: z.array(TokenEvent),
})
export type LogToken = z.infer<typeof LogToken>

/** The record of a run, its secrets as markers, as always. */
export const LogRun = z.object({ kind: z.literal('run'), run: Run })
export type LogRun = z.infer<typeof LogRun>

/**
 * A body. `text`: valid UTF-8, exactly; `base64`: any other bytes; `parts`: so many lines of kind `part` follow, under this key; `omitted`:
 * why it is not here.
 */
export const LogBody = z.union([
  z.object({ text: z.string() }),
  z.object({ base64: z.string() }),
  z.object({ parts: z.int().positive(), key: z.int().nonnegative() }),
  z.object({ omitted: z.string() }),
])
export type LogBody = z.infer<typeof LogBody>

export const LogAttempt = Attempt.extend({
  /** Null: as captured. */
  requestBody: LogBody.nullable(),
  /** Null: none came, or none is kept. */
  answerBody: LogBody.nullable(),
})
export type LogAttempt = z.infer<typeof LogAttempt>

/**
 * All of one delivery. `verdict` is that of what was captured, whatever was taken out since. Where something was taken out of the body,
 * `sha256` is a pseudonym, the same for the same body in this file, and `bytes` is the length of what is here; logs that were written
 * before have those of what was captured. Of a body that is left out `bytes` is rounded up.
 */
export const LogDelivery = Delivery.omit({ noted: true, bytesKept: true }).extend({
  kind: z.literal('delivery'),
  body: LogBody,
  /** True: something was taken out of the body, so that its signature cannot be verified again. */
  bodyRedacted: z.boolean(),
  /** Oldest first. */
  attempts: z.array(LogAttempt),
  /** So many more follow, each in a line of kind `attempt`. Absent: none. */
  moreAttempts: z.int().positive().optional(),
  /** Where it was not forwarded to, and why, as sentences. */
  notForwarded: z.array(z.string()),
})
export type LogDelivery = z.infer<typeof LogDelivery>

/** An attempt of the delivery before it. */
export const LogAttemptLine = z.object({
  kind: z.literal('attempt'),
  delivery: Id,
  attempt: LogAttempt,
})
export type LogAttemptLine = z.infer<typeof LogAttemptLine>

/** A part of a body of the delivery before it. */
export const LogPart = z.object({
  kind: z.literal('part'),
  delivery: Id,
  key: z.int().nonnegative(),
  index: z.int().nonnegative(),
  base64: z.string(),
})
export type LogPart = z.infer<typeof LogPart>

/** The head's line as it goes into the hash: without the time, so that the same deliveries make the same hash whenever they are written. */
export function hashedHead(line: string): string {
  return line.replace(/"exportedAt":"[^"]*"/, '"exportedAt":""')
}

/** The last line. Without it the file was cut off. */
export const LogEnd = z.object({
  kind: z.literal('end'),
  deliveries: z.int().nonnegative(),
  /** Lines before this one. */
  lines: z.int().nonnegative(),
  /** How many values of each kind were taken out. */
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
])
export type LogLine = z.infer<typeof LogLine>
