import { readTime } from '#contract/filter/values.ts'
import { UsageError } from './usage-error.ts'

/**
 * A time as a filter takes it: ISO 8601, so long ago (`2h`, `3d`), `today`, `yesterday` or a weekday. `nowMs` and what is answered in
 * milliseconds since the epoch; null where none is given. Throws `UsageError`.
 */
export function timeOf(option: string, text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null
  const time = readTime(text, nowMs)
  if (time === null) {
    throw new UsageError(
      `--${option} needs a time such as 2026-11-21T09:00, 2h, 3d or tuesday, not "${text}".`,
    )
  }
  return time
}
