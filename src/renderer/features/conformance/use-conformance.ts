import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../platform/use-client.ts'
import type { Conformance, Following } from './follow-conformance.ts'
import { followConformance, nothingAsked } from './follow-conformance.ts'

/** The conformance of the live store, or of a log; kept fresh while the page is open. */
export function useConformance(log: number | null): { conformance: Conformance; ask: () => void } {
  const client = useClient()
  const [conformance, setConformance] = useState(nothingAsked)
  const following = useRef<Following | null>(null)
  useEffect(() => {
    const started = followConformance(
      client,
      log,
      (change) => setConformance((before) => ({ ...before, ...change })),
      Date.now,
    )
    following.current = started
    return () => {
      started.stop()
      following.current = null
    }
  }, [client, log])
  return { conformance, ask: () => following.current?.ask() }
}
