// Times in minutes since the epoch. Hours and days are those of the local time, which may differ from UTC by half hours.

export const hour = 60
export const day = 24 * hour
export const week = 7 * day

const dateOf = (at: number): Date => new Date(at * 60_000)

export function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000)
}

export function hourStart(at: number): number {
  return at - dateOf(at).getMinutes()
}

export function dayStart(at: number): number {
  const date = dateOf(at)
  date.setHours(0, 0, 0, 0)
  return minuteOf(date.getTime())
}

/** The same time of the same weekday. A change to or from summer time does not shift it. */
export function weeksBefore(at: number, weeks: number): number {
  return daysBefore(at, weeks * 7)
}

export function daysBefore(at: number, days: number): number {
  const date = dateOf(at)
  date.setDate(date.getDate() - days)
  return minuteOf(date.getTime())
}

/** How long minutes and hours are kept as such, before they become hours and days; and how long days are kept. */
export const keep = { minutes: 2 * day, hours: 62 * day, days: 366 * day } as const

export const span = { minute: 0, hour: 1, day: 2 } as const
export type Span = (typeof span)[keyof typeof span]

/** The row in which a fact of this time is counted. `now` and `at` in minutes. */
export function rowOf(at: number, now: number): { readonly span: Span; readonly at: number } {
  if (at >= hourStart(now - keep.minutes)) return { span: span.minute, at }
  if (at >= dayStart(now - keep.hours)) return { span: span.hour, at: hourStart(at) }
  return { span: span.day, at: dayStart(at) }
}
