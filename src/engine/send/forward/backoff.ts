/** The first time it waits so long, in milliseconds. */
const firstMs = 1000
/** However often it failed. */
const longestMs = 60_000
/** Those that failed together are not to come back together: up to this share is added. */
const jitter = 0.2

/** Milliseconds before the next try, after so many failures: 1 s, 2 s, 4 s ... 60 s, and a little more. `random` is from 0 to 1. */
export function backoff(failures: number, random: number): number {
  const wait = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 16))
  return Math.round(wait * (1 + jitter * random))
}
