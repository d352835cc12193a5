import { useEffect, useRef } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import type { Delivery } from '#contract/models.ts'
import { useQuery, type Loaded } from '#renderer/platform/use-client.ts'
import { useEndpoints } from '../../../endpoints/store.ts'
import { useLog } from '../../scope/scope.ts'

/** What is computed with the current secrets: asked for again when the endpoint or the recorded verdict changes. */
export function useChecked<N extends 'deliveries.signature' | 'deliveries.diagnose'>(
  name: N,
  { id, endpointId, recheck }: Delivery,
): { state: Loaded<CallOutput<N>>; reload: () => void } {
  const { state, reload } = useQuery<'deliveries.signature' | 'deliveries.diagnose'>(name, {
    id,
    log: useLog(),
  })
  const endpoint = useEndpoints(({ endpoints }) => endpoints.find((one) => one.id === endpointId))
  const asked = useRef({ endpoint, at: recheck?.at })
  useEffect(() => {
    const { current } = asked
    if (current.endpoint === endpoint && current.at === recheck?.at) return
    asked.current = { endpoint, at: recheck?.at }
    reload()
  }, [endpoint, recheck?.at, reload])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the call that `name` is
  return { state: state as Loaded<CallOutput<N>>, reload }
}
