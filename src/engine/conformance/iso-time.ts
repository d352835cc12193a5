/** With the calendar date and the time of day, in the extended or the basic format; the zone may be left out (ISO 8601-1, 5.4). */
const timestamp =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?|\d{8}T\d{4}(?:\d\d(?:[.,]\d+)?)?)(?:Z|[+-]\d\d(?::?\d\d)?)?$/

const utcWithMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|\+00:00)$/

/** ISO 8601 with exactly three digits of a second and in UTC, of a moment that there is (SPEC, "Payload shape in a delivery"). */
export function isUtcWithMilliseconds(text: string): boolean {
  return utcWithMilliseconds.test(text) && isReal(text, 5, 8, 11, 14, 17)
}

/** An ISO 8601 timestamp of a moment that there is. */
export function isIsoTimestamp(text: string): boolean {
  if (!timestamp.test(text)) return false
  return text[4] === '-' ? isReal(text, 5, 8, 11, 14, 17) : isReal(text, 4, 6, 9, 11, 13)
}

/** Where month, day, hour, minute and second begin; what is no digit there was left out. A parser would make 2 March of 30 February. */
function isReal(
  text: string,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): boolean {
  const m = twoDigits(text, month)
  const d = twoDigits(text, day)
  if (m < 1 || m > 12 || d < 1 || d > 31) return false
  if (d > 28 && d > daysIn(Number(text.slice(0, 4)), m)) return false
  // A leap second is a moment that there is.
  return (
    twoDigits(text, hour) < 24 && twoDigits(text, minute) < 60 && !(twoDigits(text, second) > 60)
  )
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
