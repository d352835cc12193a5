import type { LogHead } from '#contract/event-log.ts'
import type { LogFormatView } from '#contract/logs.ts'
import { AppError } from '../platform/errors.ts'
import type { LogItem } from './items.ts'

/** What a format may need in addition to the items. */
export interface FormatEnv {
  /** Target of formats that send: `http://127.0.0.1:4780`, or the URL that the user entered. The path of each delivery is appended to it. */
  readonly target: string
  /** Returns the built page of the `html` format. */
  readonly page: () => string
  /** Returns the number of values of each kind that have been redacted so far. */
  readonly removed: () => Readonly<Record<string, number>>
}

/**
 * A file format for exports. `write` yields pieces in order and holds only one item at a time, so that memory use stays constant. Each piece is
 * written before the next one is requested. The items are already redacted if they have to be.
 */
export interface LogFormat extends LogFormatView {
  /** True if `logs.text` can show a single delivery in this format. */
  readonly single: boolean
  readonly write: (
    head: LogHead,
    items: Iterable<LogItem>,
    env: FormatEnv,
  ) => Generator<string | Uint8Array, void, undefined>
}

const modules = import.meta.glob<LogFormat>('./formats/*.ts', { eager: true, import: 'default' })

/** All formats: the native one first, the others by id. */
export const logFormats: readonly LogFormat[] = Object.values(modules).toSorted(
  (a, b) => Number(b.id === 'ndjson') - Number(a.id === 'ndjson') || (a.id < b.id ? -1 : 1),
)

/** Throws `bad_input` for an unknown format. */
export function formatOf(id: string): LogFormat {
  const format = logFormats.find((candidate) => candidate.id === id)
  if (format) return format
  const ids = logFormats.map((format) => format.id).join(', ')
  throw new AppError('bad_input', `Unknown format "${id}". Choose one of ${ids}.`)
}
