import type { Delivery } from '#contract/models.ts'
import { useEffect, useRef } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import { useQuery } from '#client/use-client.ts'
import { type Loaded } from '#kit/use-action.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useLog } from '#client/state/scope.ts'

/** Runs a signature query with the current secrets, and again when the endpoint, the recorded verdict or the response of the handler changes. */
export function useChecked<N extends 'deliveries.signature' | 'deliveries.diagnose'>(
  name: N,
  { id, endpointId, recheck, verdict, causes }: Delivery,
): { state: Loaded<CallOutput<N>>; reload: () => void } {
  const { state, reload } = useQuery<'deliveries.signature' | 'deliveries.diagnose'>(name, {
    id,
    log: useLog(),
  })
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ id: candidate }) => candidate === endpointId),
  )
  const rejected = verdict === 'valid' ? JSON.stringify(causes) : ''
  const lastRequest = useRef({ endpoint, at: recheck?.at, rejected })
  useEffect(() => {
    const { endpoint: before, at, rejected: known } = lastRequest.current
    if (before === endpoint && at === recheck?.at && known === rejected) return
    lastRequest.current = { endpoint, at: recheck?.at, rejected }
    reload()
  }, [endpoint, recheck?.at, rejected, reload])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the call that `name` is
  return { state: state as Loaded<CallOutput<N>>, reload }
}
