import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls every few milliseconds until there is a result, and returns it. `false`, `null` and `undefined` mean no result.
 * Throws after `ms` with a message that says what was awaited.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 60_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + ms
  for (;;) {
    const seen = await look()
    if (isSomething(seen)) return seen
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain for ${what}`)
    await pause(5)
  }
}

function isSomething<T>(seen: T): seen is Exclude<T, false | null | undefined> {
  return seen !== false && seen !== null && seen !== undefined
}
