/** In milliseconds. */
const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** In bytes. */
const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** `5s`, `5min`, `1.5h`, `-200ms` or `0`, in milliseconds. */
export function readDuration(text: string): number | null {
  const [, amount, unit] = /^(-?\d{1,15}(?:\.\d{1,15})?)(ms|s|min|m|h|d)$/i.exec(text) ?? []
  if (amount === undefined || unit === undefined) return /^-?0$/.test(text) ? 0 : null
  return Number(amount) * (durationUnits[unit.toLowerCase()] ?? 0)
}

/** `512`, `10kb` or `1.5MiB`, in bytes. */
export function readSize(text: string): number | null {
  const [, amount, unit] = /^(\d{1,15}(?:\.\d{1,15})?)([a-z]{0,3})$/i.exec(text) ?? []
  const bytes = sizeUnits[(unit || 'b').toLowerCase()]
  return amount === undefined || bytes === undefined ? null : Number(amount) * bytes
}

export function readWholeNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

export function readNumber(text: string): number | null {
  return /^-?\d{1,300}(?:\.\d{1,300})?(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : null
}

const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/i

/**
 * Milliseconds since the epoch, for a duration before `now`, an ISO 8601 date or time (local if it has no zone), a time of today, `today`, `yesterday`,
 * or a weekday, which means the start of the last one before today.
 */
export function readTime(text: string, now: number): number | null {
  const duration = text.startsWith('-') ? null : readDuration(text)
  if (duration !== null) return now - duration
  const word = text.toLowerCase()
  if (word === 'now') return now
  if (word === 'today') return startOfDay(now, 0)
  if (word === 'yesterday') return startOfDay(now, 1)
  const weekday = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word)
  if (weekday >= 0) return startOfDay(now, ((new Date(now).getDay() - weekday + 6) % 7) + 1)
  if (timeOfDay.test(text)) {
    return readIso(`${localDate(now)}T${text.indexOf(':') === 1 ? '0' : ''}${text}`)
  }
  return readIso(text)
}

/** The end of the day, minute or second that `text` gives; other times as `readTime`. */
export function readEndOfTime(text: string, now: number): number | null {
  const start = readTime(text, now)
  if (start === null || readDuration(text) !== null || text.toLowerCase() === 'now') return start
  const time = /(\d:\d\d)(:\d\d)?(\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/i.exec(text)
  if (!time) return new Date(start).setDate(new Date(start).getDate() + 1)
  const [, , seconds, fraction] = time
  return start + (fraction !== undefined ? 1 : seconds !== undefined ? 1000 : 60_000)
}

const timeOfDay = /^\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

/** `2026-03-14` */
function localDate(now: number): string {
  const date = new Date(now)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${date.getFullYear()}-${month}-${day}`
}

/** Local, `days` before the day of `now`. */
function startOfDay(now: number, days: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime()
}

function readIso(text: string): number | null {
  const match = isoTime.exec(text)
  if (!match) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const ms = Number(`0.${match[7] ?? 0}`) * 1000
  // `Date` would silently change an invalid date to another one.
  const real = new Date(Date.UTC(year, month - 1, day))
  if (real.getUTCMonth() !== month - 1 || real.getUTCDate() !== day) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const zone = match[8]
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second, ms).getTime()
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  return utc - offsetMs(zone)
}

function offsetMs(zone: string): number {
  if (/^z$/i.test(zone)) return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
