import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../platform/use-client.ts'
import type { Conformance, Following } from './follow-conformance.ts'
import { followConformance, nothingAsked } from './follow-conformance.ts'

/** The store's conformance, kept fresh while the page is open. */
export function useConformance(): { conformance: Conformance; ask: () => void } {
  const client = useClient()
  const [conformance, setConformance] = useState(nothingAsked)
  const following = useRef<Following | null>(null)
  useEffect(() => {
    const started = followConformance(
      client,
      (change) => setConformance((before) => ({ ...before, ...change })),
      Date.now,
    )
    following.current = started
    return () => {
      started.stop()
      following.current = null
    }
  }, [client])
  return { conformance, ask: () => following.current?.ask() }
}
