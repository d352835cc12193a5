import type { LogHead } from '#contract/event-log.ts'
import type { LogFormatView } from '#contract/logs.ts'
import type { LogItem } from './items.ts'

/** What a format may need to know beside what it writes. */
export interface FormatEnv {
  /** For formats that send: `http://127.0.0.1:4780`, or what the user gave; a path is put behind it. */
  readonly target: string
  /** The built page of the `html` format, as text. */
  readonly page: () => string
  /** How many values of each kind have been taken out so far. */
  readonly removed: () => Readonly<Record<string, number>>
}

/**
 * One way to write deliveries. `write` yields pieces in order and holds no more than one item at a time, so that memory stays flat; it is
 * asked for the next piece only when the one before is out. The items are redacted already, or are not to be.
 */
export interface LogFormat extends LogFormatView {
  /** A single delivery can be shown as text (`logs.text`). */
  readonly single: boolean
  readonly write: (
    head: LogHead,
    items: Iterable<LogItem>,
    env: FormatEnv,
  ) => Generator<string | Uint8Array, void, undefined>
}
