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

export function daysBefore(at: number, days: number): number {
  const date = dateOf(at)
  date.setDate(date.getDate() - days)
  return minuteOf(date.getTime())
}

const likeWeeks = 4

/** The same time and weekday of the weeks before. A change to or from summer time does not shift it. */
export function likeTimes(at: number): number[] {
  return Array.from({ length: likeWeeks }, (_, index) => daysBefore(at, (index + 1) * 7))
}

/** How long before a range its like times begin. */
export const likeBefore = likeWeeks * week + day
