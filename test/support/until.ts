import { setTimeout as pause } from 'node:timers/promises'

/** Polls until there is a result other than false, null and undefined. Throws after `ms`. */
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
