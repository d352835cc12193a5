import type { LogHead } from '#contract/event-log.ts'
import { LogFormatView } from '#contract/logs.ts'
import { AppError } from '../platform/errors.ts'
import type { LogItem } from './items.ts'

export interface FormatEnv {
  /** Where scripts send: `http://127.0.0.1:4780`, or the URL that the user entered. The path of each delivery is appended. */
  readonly target: string
  readonly removed: () => Readonly<Record<string, number>>
}

/** `write` holds only one item at a time, so that memory use stays constant. Its items are already redacted if they have to be. */
export interface LogFormat extends LogFormatView {
  /** `logs.text` can show a single delivery in this format. */
  readonly single: boolean
  readonly write: (
    head: LogHead,
    items: Iterable<LogItem>,
    env: FormatEnv,
  ) => Generator<string | Uint8Array, void, undefined>
}

const modules = import.meta.glob<LogFormat>('./formats/*.ts', { eager: true, import: 'default' })

/** The native one first, the others by id. */
export const logFormats: readonly LogFormat[] = Object.values(modules).toSorted(
  (a, b) => Number(b.id === 'ndjson') - Number(a.id === 'ndjson') || (a.id < b.id ? -1 : 1),
)

export function logFormatViews(): LogFormatView[] {
  return logFormats.map((format) => LogFormatView.parse(format))
}

/** Throws `bad_input` for an unknown format. */
export function formatOf(id: string): LogFormat {
  const format = logFormats.find((candidate) => candidate.id === id)
  if (format) return format
  const ids = logFormats.map((format) => format.id).join(', ')
  throw new AppError('bad_input', `Unknown format "${id}". Choose one of ${ids}.`)
}
