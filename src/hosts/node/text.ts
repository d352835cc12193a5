import { visible } from '#shared/text/visible.ts'
import { globals } from './command-line/globals.ts'

/**
 * A time in the local time zone, `2026-11-21 09:00:00 +01:00`, or with `--utc` in UTC, `2026-11-21 09:00:00Z`; from milliseconds since the epoch.
 * An invalid time is shown as a number. `milliseconds`: with three decimals.
 */
export function formatTime(ms: number, { milliseconds = false } = {}): string {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return String(ms)
  const offset = globals.utc ? 0 : -date.getTimezoneOffset()
  const local = new Date(ms + offset * 60_000).toISOString()
  return `${local.slice(0, milliseconds ? 23 : 19).replace('T', ' ')}${globals.utc ? 'Z' : ` ${offsetText(offset)}`}`
}

/** `+01:00`, from minutes. */
function offsetText(minutes: number): string {
  const absolute = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(absolute / 60))}:${twoDigits(absolute % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Milliseconds with at most one decimal, as `--json` prints durations. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** One line per name and value, with aligned values. Both may be hostile text. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows
    .map(([name, value]) => `${visible(name).padEnd(width)}  ${visible(value)}`.trimEnd())
    .join('\n')
}

/** A sentence without its full stop, to be continued. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
