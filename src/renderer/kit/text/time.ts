import { unknownTime } from '#contract/constants.ts'
import { formatDuration } from '#shared/text/format.ts'

const minutes = { hour: '2-digit', minute: '2-digit' } as const
const seconds = { ...minutes, second: '2-digit' } as const
const milliseconds = { ...seconds, fractionalSecondDigits: 3 } as const
const dayAndMonth = { day: 'numeric', month: 'short' } as const
const date = { ...dayAndMonth, year: 'numeric' } as const

const clock = formatOf(milliseconds)
const clockSeconds = formatOf(seconds)
const clockShort = formatOf(minutes)
const dayAndClock = formatOf({ ...dayAndMonth, ...minutes })
const day = formatOf({ weekday: 'short', ...date })
const full = formatOf({ weekday: 'short', ...date, ...milliseconds, timeZoneName: 'longOffset' })
const weekday = formatOf({ weekday: 'short', ...minutes })
const dayOnly = formatOf({ weekday: 'short', ...dayAndMonth })
const dated = formatOf({ ...date, ...milliseconds, timeZoneName: 'shortOffset' })

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', options)
}

function isValidTime(at: number): boolean {
  return at !== unknownTime && Number.isFinite(at) && Math.abs(at) <= 8.64e15
}

function noTime(at: number): string {
  return at === unknownTime ? 'unknown time' : 'invalid time'
}

/** `21:09:04.512`, in local time. `at`: milliseconds since the epoch. */
export function clockTime(at: number): string {
  return isValidTime(at) ? clock.format(Math.floor(at)) : '–'
}

/** `21:09:04` */
export function clockTimeSeconds(at: number): string {
  return isValidTime(at) ? clockSeconds.format(at) : '–'
}

/** `21:09` */
export function clockMinutes(at: number): string {
  return isValidTime(at) ? clockShort.format(at) : '–'
}

/** `21 Nov, 21:09` */
export function shortDate(at: number): string {
  return isValidTime(at) ? dayAndClock.format(at) : '–'
}

/** `Sat 21:09` within the last six days, `14 Nov, 21:09` beyond them. */
export function dayTime(at: number, now: number): string {
  const near = Math.abs(now - at) < 6 * 86_400_000
  return near && isValidTime(at) ? weekday.format(at) : shortDate(at)
}

/** `Sat, 21 Nov` */
export function dayDate(at: number): string {
  return isValidTime(at) ? dayOnly.format(at) : '–'
}

/** `Sat, 21 Nov 2026` */
export function dayOf(at: number): string {
  return isValidTime(at) ? day.format(at) : at === unknownTime ? 'unknown date' : 'invalid date'
}

/** `Sat, 21 Nov 2026, 21:09:04.512 GMT+01:00` */
export function fullTime(at: number): string {
  return isValidTime(at) ? full.format(Math.floor(at)) : noTime(at)
}

/** `21 Nov 2026, 21:09:04.512 GMT+1` */
export function localTime(at: number): string {
  return isValidTime(at) ? dated.format(Math.floor(at)) : noTime(at)
}

/** `2026-11-21T20:09:04.512Z` */
export function utcTime(at: number): string {
  return isValidTime(at) ? new Date(at).toISOString() : noTime(at)
}

/** `2 min ago`, `just now`: for what has happened. `useNow` may be up to 15 s behind, so that `at` may be after `now`. */
export function ago(at: number, now: number): string {
  const past = now - at
  return past < 2000 ? 'just now' : `${formatDuration(past)} ago`
}

/** `2 min ago`, `in 3 h`, `just now`: for a time that may be in the future. */
export function fromNow(at: number, now: number): string {
  return at - now < 2000 ? ago(at, now) : `in ${formatDuration(at - now)}`
}
