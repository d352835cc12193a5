import type { Delivery, SignatureReport } from '#contract/models.ts'
import { describeVerdictChange } from '../../../../state/recheck-signatures.ts'
import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import { useEffect, useRef } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import { useQuery, type Loaded } from '#renderer/platform/use-client.ts'
import { useEndpoints } from '../../../../state/endpoints.ts'
import { useLog } from '../../../../state/scope.ts'

/** The verdict at arrival and the one with the current secrets, in a sentence: the same in the banner and on the Signature tab. */
export function currentConclusion(
  { verdict, recheck }: Delivery,
  { verdict: now, computed }: SignatureReport,
): string {
  const secretName = computed.find(({ matches }) => matches)?.secretName ?? null
  return describeVerdictChange(recheck?.verdictAtArrival ?? verdict, now, secretName)
}

/** Who has to do what the fix says. */
export const fixLocationLabels = {
  here: 'here, in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and here',
  sender: 'where it is signed',
} as const satisfies Record<DiagnosisCause['where'], string>

/** What came of trying a cause, in a word. */
export const causeOutcomeLabels = {
  matches: 'matches',
  ruled_out: 'ruled out',
  untried: 'not tried',
} as const satisfies Record<DiagnosisCause['outcome'], string>

/** What came of the secret that was given. */
export const candidateLabels = {
  matches: 'This secret makes the signature that came.',
  matches_changed: 'This secret makes the signature that came when something is changed:',
  differs: 'This secret does not make the signature that came, whatever is changed.',
} as const satisfies Record<NonNullable<Diagnosis['candidate']>, string>

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
