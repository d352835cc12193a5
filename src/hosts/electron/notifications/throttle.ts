/** What was held back until it could be told, and all that came with it. */
export interface Batch<T> {
  readonly items: readonly T[]
  /** When the first of them came, in milliseconds since the epoch. */
  readonly since: number
}

/**
 * Tells the first at once, and then one sum of what came meanwhile every `everyMs` at most. Pure: `now` comes as an argument, and who calls
 * asks again at `dueAt`.
 */
export interface Throttle<T> {
  /** Takes what came; answers what is to be told now. */
  take(items: readonly T[], now: number): Batch<T> | null
  /** When there is something to be told, in milliseconds since the epoch; null: nothing waits. */
  readonly dueAt: number | null
  /** Answers what waits, if it is due. */
  due(now: number): Batch<T> | null
  /** What waits needs telling no more. */
  forget(): void
}

export function createThrottle<T>(everyMs: number): Throttle<T> {
  let items: T[] = []
  let since = 0
  let told: number | null = null

  function due(now: number): Batch<T> | null {
    // A clock that was set back must not keep it silent until it has caught up.
    if (items.length === 0 || (told !== null && now >= told && now < told + everyMs)) return null
    const all = { items, since }
    items = []
    told = now
    return all
  }

  return {
    take(more, now) {
      if (more.length === 0) return null
      if (items.length === 0) since = now
      items.push(...more)
      return due(now)
    },
    get dueAt() {
      return items.length === 0 ? null : (told ?? 0) + everyMs
    },
    due,
    forget() {
      items = []
    },
  }
}
