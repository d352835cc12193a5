import { useSyncExternalStore } from 'react'

const every = 15_000
let now = Date.now()

function subscribe(changed: () => void): () => void {
  now = Date.now()
  const timer = setInterval(() => {
    now = Date.now()
    changed()
  }, every)
  return () => clearInterval(timer)
}

/** The time of now in milliseconds, fresh every 15 s: for "2 min ago". */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
