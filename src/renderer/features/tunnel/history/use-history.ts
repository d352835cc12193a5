import { useEffect, useState } from 'react'
import type { TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'

/** As many as the contract gives at once. */
const most = 5000

interface History {
  readonly spans: readonly TunnelSpan[]
  /** Null: they are here, or on the way. */
  readonly failure: string | null
  /** Of how many milliseconds they are; 0: none came yet. */
  readonly ms: number
}

/** What was in the last `ms` milliseconds, asked for anew when the state changes. Until an answer is here, what was before. */
export function useHistory(ms: number, { since, state }: TunnelView): History {
  const turn = `${state} ${since}`
  const client = useClient()
  const [held, setHeld] = useState<History>({ spans: [], failure: null, ms: 0 })
  useEffect(() => {
    let current = true
    const ask = (): void => {
      client.call('tunnel.history', { since: Date.now() - ms, limit: most }).then(
        (spans) => current && setHeld({ spans, failure: null, ms }),
        (error: unknown) =>
          current && setHeld((before) => ({ ...before, failure: sentence(error) })),
      )
    }
    ask()
    // What failed since the connection was gone is asked again when it is back.
    const stop = client.onConnection(({ phase }) => phase === 'connected' && ask())
    return () => {
      current = false
      stop()
    }
    // Nothing in here reads `turn`: another one means that there is more to be asked for.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, ms, turn])
  return held
}
