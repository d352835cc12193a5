import { useShell } from '#client/state/app.ts'
import { useEndpoints, useEndpointRules } from '#client/state/live-values.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Endpoint, DeliverySummary } from '#contract/models.ts'
import type { Target, AttemptSummary } from '#contract/sending.ts'
import type { Client } from '#client/client.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'

export interface TargetSuggestion {
  readonly url: string
  /** What the URL is, such as "forward target". */
  readonly label: string
}

export interface SuggestionSources {
  /** Earlier targets of the delivery, most recent first. */
  readonly used: readonly string[]
  /** Targets of other deliveries, most recent first. */
  readonly recent?: readonly string[]
  readonly forwards: readonly ForwardTarget[]
  /** The origin of the Tabscope listener; null if it is stopped or not wanted. */
  readonly listenerOrigin: string | null
  readonly endpoints: readonly Endpoint[]
  /** The path of the delivery on the Tabscope listener, and its endpoint; null for several deliveries. */
  readonly delivery: { readonly path: string; readonly endpointId: number | null } | null
}

const maximum = 8
const maxRecent = 4

/** Suggested targets without duplicates, most likely first. */
export function suggestTargets(sources: SuggestionSources): readonly TargetSuggestion[] {
  const { used, recent = [], forwards, listenerOrigin, endpoints, delivery } = sources
  const matching = forwards.filter(
    ({ endpointId }) => delivery === null || endpointId === delivery.endpointId,
  )
  const suggestions: TargetSuggestion[] = [
    ...used.map((url, index) => ({
      url,
      label: index === 0 ? 'last target' : 'earlier target',
    })),
    ...matching.map(({ url }) => ({ url, label: 'forward target' })),
    ...recent.slice(0, maxRecent).map((url) => ({ url, label: 'recent' })),
    ...(listenerOrigin === null
      ? []
      : delivery === null
        ? endpoints.map(({ name, slug }) => ({
            url: `${listenerOrigin}/hooks/${slug}`,
            label: `Tabscope listener, ${name}`,
          }))
        : [{ url: `${listenerOrigin}${delivery.path}`, label: 'Tabscope listener' }]),
  ]
  const seen = new Set<string>()
  return suggestions
    .filter(({ url }) => url.trim() !== '' && !seen.has(url) && seen.add(url))
    .slice(0, maximum)
}

interface Asked extends Partial<Pick<SuggestionSources, 'used' | 'delivery'>> {
  /** Whether the Tabscope listener is a useful target. */
  readonly own?: boolean
}

/** Suggested targets from what is stored. */
export function useTargetSuggestions({ used = [], delivery = null, own = true }: Asked) {
  const listener = useShell((state) => state.listener)
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useEndpointRules((state) => state.forwards)
  const recent = useRecentTargets()
  const listenerOrigin = own && listener.state === 'listening' ? listener.origin : null
  return suggestTargets({ used, recent, forwards, listenerOrigin, endpoints, delivery })
}

/** Describes where a target is, in one sentence. */
export function describeTarget({ location, confirmed, verifyTls, origin }: Target): string {
  const tls =
    origin.startsWith('https:') && !verifyTls ? ' TLS verification is off for this target.' : ''
  switch (location) {
    case 'own':
      return `Tabscope listener: the request arrives here as a delivery.${tls}`
    case 'loopback':
      return `On this machine.${tls}`
    case 'private':
      return `In your network.${tls}`
    case 'public':
      return confirmed
        ? `Outside your network. You have allowed this target.${tls}`
        : `Outside your network. Tabscope asks you once before it sends anything there.${tls}`
    case 'unresolved':
      return 'This name does not currently resolve.'
  }
}

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
