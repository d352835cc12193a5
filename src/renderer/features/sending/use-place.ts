import { useEffect, useState } from 'react'
import type { Target } from '#contract/sending.ts'
import { useClient } from '../../platform/use-client.ts'
import { urlFault } from './send-draft.ts'

/** Milliseconds after the last key. */
const pause = 250

/** What is known of the target of an address while it is written; null: nothing yet. */
export function usePlace(url: string): Target | null {
  const client = useClient()
  const [held, setHeld] = useState<{ url: string; target: Target } | null>(null)
  const wanted = url.trim() === '' || urlFault(url) !== null ? null : url.trim()
  useEffect(() => {
    if (wanted === null) return
    let current = true
    const timer = setTimeout(() => {
      client.call('targets.look', { url: wanted }).then(
        (target) => current && setHeld({ url: wanted, target }),
        // What is wrong with it is said when it is sent to.
        () => current && setHeld(null),
      )
    }, pause)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [client, wanted])
  return held !== null && held.url === wanted ? held.target : null
}
