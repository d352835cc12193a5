import { useEffect } from 'react'
import type { RefObject } from 'react'

/** The button that led on may be gone with what it stood in: whoever pressed it goes on from here. With a new key it looks anew. */
export function Landing({ on }: { readonly on: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    if (document.activeElement === document.body) on.current?.focus({ preventScroll: true })
  }, [on])
  return null
}
