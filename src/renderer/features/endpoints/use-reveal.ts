import { useEffect, useState } from 'react'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'

/** Milliseconds for which a secret stays on the screen. */
const shownFor = 30_000

interface Reveal {
  /** Null while it is hidden. */
  readonly secret: string | null
  readonly busy: boolean
  readonly error: string | null
  readonly show: () => void
  readonly hide: () => void
}

/** A secret that is fetched on a click, and gone after 30 s or when the window is left. Kept nowhere else. */
export function useReveal(id: number, which: 'current' | 'previous'): Reveal {
  const client = useClient()
  const [secret, setSecret] = useState<string | null>(null)
  const fetching = useAction(async () => {
    const answer = await client.call('endpoints.revealSecret', { id, which })
    setSecret(answer.secret)
  })
  useEffect(() => {
    if (secret === null) return undefined
    const hide = (): void => setSecret(null)
    const timer = setTimeout(hide, shownFor)
    window.addEventListener('blur', hide)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hide)
    }
  }, [secret])
  return {
    secret,
    busy: fetching.busy,
    error: fetching.error === null ? null : sentence(fetching.error),
    show: () => fetching.start(),
    hide: () => setSecret(null),
  }
}
