import { useEffect, useRef, useState } from 'react'
import type { FocusEvent } from 'react'
import { sentence } from './call-error.ts'
import { useAction } from './use-client.ts'

/** Milliseconds for which a secret stays on the screen. */
const shownFor = 30_000

interface Reveal<A extends readonly unknown[]> {
  /** Null while it is hidden. */
  readonly secret: string | null
  readonly busy: boolean
  readonly error: string | null
  readonly show: (...args: A) => void
  readonly hide: () => void
  /** For the blur of what it stands in: hides it, unless the focus stays within (at "Copy"). */
  readonly leave: (event: FocusEvent) => void
}

/** A secret that `fetch` gets on a click, gone after 30 s or when the window is left. Kept nowhere else. */
export function useReveal<A extends readonly unknown[]>(
  fetch: (...args: A) => Promise<string>,
): Reveal<A> {
  const [secret, setSecret] = useState<string | null>(null)
  const turn = useRef(0)
  const fetching = useAction(async (...args: A) => {
    turn.current += 1
    const mine = turn.current
    const value = await fetch(...args)
    // Hidden meanwhile, or another one asked for: this one must not be shown in its place.
    if (turn.current === mine) setSecret(value)
  })
  useEffect(() => {
    if (secret === null) return undefined
    const cover = (): void => setSecret(null)
    const timer = setTimeout(cover, shownFor)
    window.addEventListener('blur', cover)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', cover)
    }
  }, [secret])
  const hide = (): void => {
    turn.current += 1
    setSecret(null)
  }
  return {
    secret,
    busy: fetching.busy,
    error: fetching.error === null ? null : sentence(fetching.error),
    show: fetching.start,
    hide,
    leave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) hide()
    },
  }
}
