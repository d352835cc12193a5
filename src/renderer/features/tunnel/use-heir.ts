import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** For what goes away while it has the focus: `heir` gets it then. The reference is put on what goes. */
export function useHeir<E extends HTMLElement>(
  heir: RefObject<HTMLElement | null>,
): RefObject<E | null> {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const going = ref.current
    return () => {
      // The cleanup runs before the element is taken out: it is still known who has the focus.
      // The heir stays, and whichever it is by then is meant.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      if (going?.contains(document.activeElement)) heir.current?.focus()
    }
  }, [heir])
  return ref
}
