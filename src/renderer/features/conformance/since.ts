export const sinceChoices = ['today', 'yesterday', 'week', 'date', 'all'] as const
export type SinceChoice = (typeof sinceChoices)[number]

/** What is told apart: what came from a moment on against all before it. */
export interface Since {
  readonly choice: SinceChoice
  /** `2026-11-17`, as a date field gives it; used with `date`. */
  readonly date: string
}

/**
 * The moment from which on things are new, in milliseconds since the epoch, at the beginning of a day in the zone of this machine; null:
 * none is chosen. `now` in milliseconds since the epoch.
 */
export function sinceOf({ choice, date }: Since, now: number): number | null {
  switch (choice) {
    case 'today':
      return dayBefore(now, 0)
    case 'yesterday':
      return dayBefore(now, 1)
    case 'week':
      return dayBefore(now, 7)
    case 'date':
      return startOf(date)
    case 'all':
      return null
  }
}

/** The beginning of the day that is `days` before that of `now`. By the calendar: a day may have 23 hours. */
function dayBefore(now: number, days: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime()
}

function startOf(date: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  if (!match) return null
  const [, year, month, day] = match
  return new Date(Number(year), Number(month) - 1, Number(day)).getTime()
}

/** The day of a moment as a date field takes it. */
export function dateOf(at: number): string {
  const day = new Date(at)
  const year = String(day.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
