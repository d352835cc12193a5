import { harmlessVersion } from '#catalogue/harmless.ts'
import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import type { LogSource } from '../read/source.ts'

export const notRedacted =
  'Not redacted: this file contains all values as received. Share it only with people who may see all of it.'

/** What the reader of a redacted file must know, as sentences. */
export const redactedNote =
  'Redacted: documented fields that are known to be harmless are shown as received. IDs, locations, items of no known product, and names and contacts of guests are aliases, the same for the same value in this file. Everything else is masked: a mask shows the kind of text, not the value. The signature of a redacted body cannot be verified again. Names of spots, zones, products and tags are shown as received.'

/** `fields`: the selected ones; null if nothing is redacted. */
export function createLogHead(
  source: Pick<LogSource, 'scope' | 'counts' | 'redaction'>,
  { app, exportedAt, fields }: HeadOptions,
): LogHead {
  return {
    kind: 'head',
    format: 'tabscope-event-log',
    version: eventLogVersion,
    app,
    exportedAt,
    scope: source.scope,
    redaction: redactionOf(source.redaction, fields),
    counts: source.counts,
  }
}

interface SelectedFields {
  readonly kept: readonly string[]
  readonly masked: readonly string[]
}

export interface HeadOptions {
  readonly app: string
  /** ISO 8601, UTC. */
  readonly exportedAt: string
  readonly fields: SelectedFields | null
}

/** A log that was redacted earlier stays marked as redacted, even if this export redacts nothing. */
function redactionOf(
  origin: LogHead['redaction'] | null,
  fields: SelectedFields | null,
): LogHead['redaction'] {
  const earlier = origin?.on === true ? origin : null
  if (fields === null) {
    return earlier ?? { on: false, list: null, kept: [], masked: [], note: notRedacted }
  }
  return {
    on: true,
    list: harmlessVersion,
    kept: [...new Set([...(earlier?.kept ?? []), ...fields.kept])],
    masked: [...new Set([...(earlier?.masked ?? []), ...fields.masked])],
    note: redactedNote,
  }
}
