import { z } from 'zod'
import { Id } from '../models.ts'
import { Time } from './common.ts'

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

export const eventLogOutputs = [EventLogOutput, FormatOutput] as const
