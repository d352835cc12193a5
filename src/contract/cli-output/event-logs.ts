import { z } from 'zod'
import { Id } from '../models.ts'
import { removalClassNames, removalKinds } from '../redaction.ts'
import { Duration, Time } from './common.ts'

/** An event log that was imported. */
export const EventLogOutput = z.strictObject({
  event: z.literal('event_log'),
  id: Id,
  /** Name of the file, without its folder. */
  name: z.string(),
  format: z.enum(['ndjson', 'har']),
  /** The version of the format; null: it has none. */
  version: z.int().nullable(),
  /** What wrote it. */
  app: z.string(),
  exportedAt: Time.nullable(),
  importedAt: Time,
  /** Null: not known. */
  redacted: z.boolean().nullable(),
  /** The filter that it was exported with; null: not known. */
  filter: z.string().nullable(),
  deliveries: z.int().nonnegative(),
  /** Absent: none. */
  rehearsals: z.int().positive().optional(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  firstAt: Time.nullable(),
  lastAt: Time.nullable(),
  /** `unverified`: it has no checksum. */
  state: z.enum(['complete', 'cut_off', 'changed', 'unverified']),
  /** What is missing, as sentences. */
  problems: z.array(z.string()),
  /** Only of `import`: it had been imported before. */
  known: z.boolean().optional(),
})

/** A format that `export` writes. */
export const FormatOutput = z.strictObject({
  event: z.literal('format'),
  /** As `export --format` takes it. */
  name: z.string(),
  label: z.string(),
  description: z.string(),
  extension: z.string(),
  mediaType: z.string(),
  /** What `import` reads of it. */
  imports: z.enum(['complete', 'partial', 'none']),
  gzip: z.boolean(),
})

/** A file that `export` wrote. */
export const ExportOutput = z.strictObject({
  event: z.literal('export'),
  format: z.string(),
  /** Of the file, absolute. */
  path: z.string().nullable(),
  redacted: z.boolean(),
  /** How many values of each kind were replaced. */
  redactions: z.array(z.strictObject({ kind: z.string(), count: z.int().positive() })),
  deliveries: z.int().nonnegative(),
  /** Absent: none. */
  rehearsals: z.int().positive().optional(),
  bytes: z.int().nonnegative(),
  durationMs: Duration,
})

/** What `export --preview` finds; nothing is written. */
export const ExportPreviewOutput = z.strictObject({
  event: z.literal('export_preview'),
  deliveries: z.int().nonnegative(),
  /** Absent: none. */
  rehearsals: z.int().positive().optional(),
  /** Of the file, estimated. */
  bytes: z.int().nonnegative(),
  /** What would be replaced, most values first. */
  redactions: z.array(
    z.strictObject({
      kind: z.enum(removalKinds),
      class: z.enum(removalClassNames),
      /** `header authorization`, `body data.guests[*].email`, `path`, `note` ... */
      location: z.string(),
      count: z.int().positive(),
      deliveries: z.int().nonnegative(),
      /** At most three. `value` is null for secrets. */
      examples: z.array(
        z.strictObject({
          deliveryId: Id.nullable(),
          value: z.string().nullable(),
          replacement: z.string(),
        }),
      ),
    }),
  ),
  /** Sentences. */
  notes: z.array(z.string()),
})

export const eventLogOutputs = [
  EventLogOutput,
  FormatOutput,
  ExportOutput,
  ExportPreviewOutput,
] as const
