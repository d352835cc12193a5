/** The last moment that has a year of four digits. */
const lastTime = 253_402_300_799_999

/**
 * Milliseconds since the epoch as ISO 8601, UTC, down to the millisecond. What lies outside the years 1970 to 9999, as only a log of someone
 * else's can hold, becomes the nearest moment within: a format that wants a time takes no other.
 */
export function isoTime(at: number): string {
  const within = Number.isFinite(at) ? Math.min(Math.max(at, 0), lastTime) : 0
  return new Date(Math.floor(within)).toISOString()
}
