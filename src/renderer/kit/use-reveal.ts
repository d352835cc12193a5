import { useEffect, useRef, useState, type FocusEvent } from 'react'
import { messageOf, useAction } from './use-action.ts'

/** How long a secret stays visible, in milliseconds. */
const visibleFor = 30_000

export interface Reveal<A extends readonly unknown[] = []> {
  readonly secret: string | null
  readonly busy: boolean
  readonly error: string | null
  readonly show: (...args: A) => void
  readonly hide: () => void
  /** Blur handler of the surrounding element. Hides the secret unless the focus stays inside, for example on "Copy". */
  readonly hideOnBlur: (event: FocusEvent) => void
}

/** Shows a secret that `fetch` loads on a click. It is hidden after 30 s or when the window loses focus, and stored nowhere else. */
export function useReveal<A extends readonly unknown[]>(
  fetch: (...args: A) => Promise<string>,
): Reveal<A> {
  const [secret, setSecret] = useState<string | null>(null)
  const latest = useRef(0)
  const fetching = useAction(async (...args: A) => {
    latest.current += 1
    const started = latest.current
    const value = await fetch(...args)
    // If the secret was hidden or another one was requested in the meantime, this one must not be shown.
    if (latest.current === started) setSecret(value)
  })
  useEffect(() => {
    if (secret === null) return undefined
    const hideSecret = (): void => setSecret(null)
    const timer = setTimeout(hideSecret, visibleFor)
    window.addEventListener('blur', hideSecret)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hideSecret)
    }
  }, [secret])
  const hide = (): void => {
    latest.current += 1
    setSecret(null)
  }
  return {
    secret,
    busy: fetching.busy,
    error: fetching.error === null ? null : messageOf(fetching.error),
    show: fetching.start,
    hide,
    hideOnBlur: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) hide()
    },
  }
}
