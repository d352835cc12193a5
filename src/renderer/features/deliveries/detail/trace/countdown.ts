/** How long until a moment, as a clock counts down: `4:59`, `1:02:03`; null when it has come. Both in milliseconds since the epoch. */
export function countdown(until: number, now: number): string | null {
  const left = Math.ceil((until - now) / 1000)
  if (!(left > 0)) return null
  const seconds = String(left % 60).padStart(2, '0')
  const minutes = Math.floor(left / 60)
  if (minutes < 60) return `${minutes}:${seconds}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
}
