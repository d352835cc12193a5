const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long something lasts, in whole units: `6 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. `ms`: below 0 counts as 0. */
export function lasting(ms: number): string {
  const length = Math.max(0, ms)
  if (length < minute) return `${Math.floor(length / second)} s`
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < day) return two(length, hour, 'h', minute, 'min')
  return two(length, day, 'd', hour, 'h')
}

function two(ms: number, large: number, one: string, small: number, other: string): string {
  const rest = Math.floor((ms % large) / small)
  const whole = `${Math.floor(ms / large)} ${one}`
  return rest === 0 ? whole : `${whole} ${rest} ${other}`
}

/** When the words for what began at `since` are others next. Milliseconds since the epoch. */
export function nextLabelChange(since: number, now: number): number {
  const passed = now - since
  if (passed < 0) return since + second
  const unit = passed < minute ? second : passed < day ? minute : hour
  return since + (Math.floor(passed / unit) + 1) * unit
}

/** How long is left until `at`: `8 s`, and `now` when there is nothing left. */
export function leftUntil(at: number, now: number): string {
  const left = at - now
  return left <= 0 ? 'now' : lasting(Math.ceil(left / second) * second)
}

/** When the words for what is left until `at` are others next; null: they stay. */
export function nextLeft(at: number, now: number): number | null {
  const left = at - now
  return left <= 0 ? null : at - (Math.ceil(left / second) - 1) * second
}
