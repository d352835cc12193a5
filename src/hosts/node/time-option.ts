import { UsageError } from './usage.ts'

const minute = 60_000
const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: minute,
  h: 60 * minute,
  d: 24 * 60 * minute,
  w: 7 * 24 * 60 * minute,
}

/**
 * A time given as ISO 8601 (`2026-11-21`, `2026-11-21T09:00`, of this computer's zone where none is named) or as so long before `nowMs`
 * (`30m`, `2h`, `3d`, `1w`). In milliseconds since the epoch; null where none is given. Throws `UsageError`.
 */
export function timeOf(option: string, text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (amount !== undefined) return nowMs - Number(amount) * (units[unit ?? ''] ?? 0)
  // A date alone is midnight in UTC to JavaScript, and here to everybody else.
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(whole) ? Date.parse(whole) : Number.NaN
  if (Number.isNaN(time)) {
    throw new UsageError(
      `--${option} needs a time such as 2026-11-21T09:00 or a while ago such as 2h or 3d, not "${text}".`,
    )
  }
  return time
}
