import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import type { Client } from '#client/client.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { useEndpointRules } from '#client/state/live-values.ts'

export type Resendable = Pick<DeliverySummary, 'id' | 'type' | 'endpointId'>

/** The URLs of manual sends, newest first, without duplicates. */
export function manualTargets(attempts: readonly AttemptSummary[]): string[] {
  const urls = attempts
    .filter(({ kind }) => kind === 'resend' || kind === 'compose')
    .map(({ url }) => url)
  return [...new Set(urls)]
}

/** The default target of a re-send: the last manual target, otherwise the forward target of its endpoint and type. Null: the user must enter one. */
export function targetFor(
  { type, endpointId }: Resendable,
  attempts: readonly AttemptSummary[],
  forwards: readonly ForwardTarget[],
): string | null {
  const [last] = manualTargets(attempts)
  if (last !== undefined) return last
  const forward = forwards.find(
    ({ enabled, endpointId: forwardEndpointId, types }) =>
      enabled &&
      forwardEndpointId === endpointId &&
      (types.length === 0 || (type !== null && types.includes(type))),
  )
  return forward?.url ?? null
}

/** Loads the attempts of a delivery and returns its default target. */
export async function findTarget(client: Client, delivery: Resendable): Promise<string | null> {
  const { rows } = await client.call('attempts.list', { ...listed, deliveryId: delivery.id })
  return targetFor(delivery, rows, useEndpointRules.getState().forwards)
}

/** The default target of a delivery, updated with each attempt; undefined until it is loaded. */
export function useTarget(delivery: Resendable): string | null | undefined {
  const forwards = useEndpointRules((state) => state.forwards)
  const { state, reload } = useQuery('attempts.list', { ...listed, deliveryId: delivery.id })
  useRefresh(null, ['attempts.made'], refreshEvery, reload)
  return state.phase === 'ready' ? targetFor(delivery, state.value.rows, forwards) : undefined
}

const refreshEvery = 500
const listed = { log: null, limit: 200 } as const
const noTargets: readonly string[] = []

/** The recent targets of manual sends, newest first. Empty until they are loaded. */
export function useRecentTargets(): readonly string[] {
  const { state } = useQuery('attempts.list', { log: null, limit: 100 })
  return state.phase === 'ready' ? manualTargets(state.value.rows) : noTargets
}
