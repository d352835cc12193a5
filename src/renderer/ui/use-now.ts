import { useEffect, useSyncExternalStore } from 'react'

const every = 15_000
/** What a timer can take, in milliseconds: 24 days. */
const longest = 2 ** 31 - 1
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void): () => void {
  now = Date.now()
  listeners.add(changed)
  timer ??= setInterval(tick, every)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

function current(): number {
  return now
}

/**
 * The time of now in milliseconds, fresh every 15 s: for "2 min ago". Fresh as well at what `next` tells, in milliseconds since the
 * epoch: for what changes at a moment known before; null: nothing does.
 */
export function useNow(next?: (now: number) => number | null): number {
  const seen = useSyncExternalStore(subscribe, current, current)
  const wake = next?.(seen) ?? null
  useEffect(() => {
    const rest = wake === null ? 0 : wake - Date.now()
    if (rest <= 0 || rest > longest) return undefined
    const alarm = setTimeout(tick, rest + 1)
    return () => clearTimeout(alarm)
  }, [wake])
  return seen
}
