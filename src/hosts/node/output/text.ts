import { unknownTime } from '#contract/constants.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { globals } from '../command-line/globals.ts'
import type { SecretView } from '#contract/models.ts'
import type { Script } from '#contract/scripts.ts'
import { plural } from '#shared/text/format.ts'

/** `2026-11-21 09:00:00 +01:00`, or with `--utc` `2026-11-21 09:00:00Z`. An invalid time is shown as a number, and an unknown one as a word. `milliseconds`: with three decimals. */
export function formatTime(ms: number, { milliseconds = false } = {}): string {
  if (ms === unknownTime) return 'unknown'
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return String(ms)
  const offset = globals.utc ? 0 : -date.getTimezoneOffset()
  const local = new Date(ms + offset * 60_000).toISOString()
  return `${local.slice(0, milliseconds ? 23 : 19).replace('T', ' ')}${globals.utc ? 'Z' : ` ${offsetText(offset)}`}`
}

/** `18:02` */
export function formatClock(ms: number): string {
  return formatTime(ms).slice(11, 16)
}

function offsetText(minutes: number): string {
  const absolute = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(absolute / 60))}:${twoDigits(absolute % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** At most one decimal, as in durations of `--json`. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** With aligned values, without those that are null. Names and values may be hostile text. */
export function facts(
  rows: readonly (readonly [name: string, value: string | number | null])[],
): string {
  const given = rows.filter(([, value]) => value !== null)
  const width = Math.max(0, ...given.map(([name]) => name.length))
  return given
    .map(([name, value]) =>
      `${escapeControls(name).padEnd(width)}  ${escapeControls(String(value))}`.trimEnd(),
    )
    .join('\n')
}

export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

export function secretText({ set, ending, unavailable, whiteSpaceAtEnds }: SecretView): string {
  if (unavailable) return 'set, but encrypted with another key. Set it again'
  if (!set) return 'not set'
  const space = whiteSpaceAtEnds === true ? ', starts or ends with whitespace' : ''
  return `set${ending === null ? '' : `, ends in ${ending}`}${space}`
}

/** The deliveries on which a script failed: `3 deliveries, last 12: Line 2, column 3: …`. */
export function failedText({ count, deliveryId, reason }: NonNullable<Script['failed']>): string {
  return `${plural(count, 'delivery', 'deliveries')}, last ${deliveryId}: ${reason}`
}
