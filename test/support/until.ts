import { setTimeout as pause } from 'node:timers/promises'

/**
 * Looks every few milliseconds until there is something to be seen, and returns it; `false`, `null` and `undefined` are nothing.
 * Throws after `ms` with a sentence that says what was waited for.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 10_000,
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
