import { useSyncExternalStore } from 'react'

/** Under this the strip would take too much of the page. */
const enough = '(min-width: 1101px) and (min-height: 761px)'

/** Whether the window has room for the whole strip. */
export function useRoom(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(enough).matches)
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(enough)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
