let grouped: Intl.NumberFormat | null = null

/** `12,408` */
export function formatCount(value: number): string {
  // Loading the formats of a language takes longer than the rest of many commands.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value)
  grouped ??= new Intl.NumberFormat('en-US')
  return grouped.format(value)
}

/** A text from outside, as part of a sentence: masking takes what is between “ and ” for a value. */
export function quoteForeign(text: string): string {
  return `“${text.replaceAll(/[“”]/g, '"')}”`
}

/** `12,408 deliveries`, `1 delivery` */
export function plural(value: number, one: string, many: string): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `612 B`, `4.1 KiB`, `2 GiB` */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < sizeUnits.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit === 0 || value >= 100 || Number.isInteger(value) ? 0 : 1
  return `${value.toFixed(digits)} ${sizeUnits[unit] ?? ''}`
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Rounded to one unit: `0.3 ms`, `3 ms`, `0.4 s`, `12 s`, `5 min`, `3 h`, `2 d`. */
export function formatDuration(ms: number): string {
  const size = Math.abs(ms)
  const sign = ms < 0 ? '−' : ''
  if (size < 1) return `${sign}${size.toFixed(size === 0 ? 0 : 1)} ms`
  if (size < 100) return `${sign}${Math.round(size)} ms`
  if (size < 10 * second) return `${sign}${(size / second).toFixed(size % second === 0 ? 0 : 1)} s`
  if (size < 2 * minute) return `${sign}${Math.round(size / second)} s`
  if (size < 2 * hour) return `${sign}${Math.round(size / minute)} min`
  if (size < 2 * day) return `${sign}${Math.round(size / hour)} h`
  return `${sign}${Math.round(size / day)} d`
}

/** Without rounding: `30 s`, `750 ms`. */
export function formatLimit(ms: number): string {
  return ms % second === 0 ? `${ms / second} s` : `${ms} ms`
}

/** In whole units: `40 s`, `12 min`, `7 h 12 min`, `3 d 2 h`; with one unit `7 h`. Negative values give `0 s`. */
export function formatElapsed(ms: number, units: 1 | 2 = 2): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  const inDays = ms >= 2 * day
  const [large, small] = inDays ? [day, hour] : [hour, minute]
  const whole = `${Math.floor(ms / large)} ${inDays ? 'd' : 'h'}`
  const rest = Math.floor((ms % large) / small)
  return rest === 0 || units === 1 ? whole : `${whole} ${rest} ${inDays ? 'h' : 'min'}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** `2026-11-21` in local time, for date inputs. */
export function formatDate(date: Date): string {
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** `2026-11-21-1430` in local time, for file names. */
export function formatFileTime(date: Date): string {
  return `${formatDate(date)}-${twoDigits(date.getHours())}${twoDigits(date.getMinutes())}`
}
