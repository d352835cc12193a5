import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { DraftSummary } from '#contract/compose.ts'
import type { Endpoint } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'

export interface KnownAddress {
  readonly url: string
  readonly from: string
}

interface Sources {
  readonly endpoints: readonly Endpoint[]
  /** The URL of each endpoint; null while the listener is stopped. */
  readonly urlOf: (endpoint: Endpoint) => string | null
  readonly forwards: readonly ForwardTarget[]
  readonly drafts: readonly Pick<DraftSummary, 'url'>[]
  readonly targets: readonly Pick<Target, 'origin'>[]
  /** The endpoint of the draft, whose addresses come first. */
  readonly endpointId: number | null
}

const maxAddresses = 30

/** Returns suggested addresses without duplicates: the Tabscope listener, forward targets and earlier addresses. */
export function knownAddresses(sources: Sources): KnownAddress[] {
  const { endpoints, urlOf, forwards, drafts, targets, endpointId } = sources
  const ownFirst = <T>(all: readonly T[], idOf: (each: T) => number): T[] => [
    ...all.filter((each) => idOf(each) === endpointId),
    ...all.filter((each) => idOf(each) !== endpointId),
  ]
  const found: KnownAddress[] = []
  for (const endpoint of ownFirst(endpoints, ({ id }) => id)) {
    const url = urlOf(endpoint)
    if (url !== null) found.push({ url, from: `Tabscope listener, ${endpoint.name}` })
  }
  for (const { url, endpointId: of } of ownFirst(forwards, (forward) => forward.endpointId)) {
    const name = endpoints.find(({ id }) => id === of)?.name
    found.push({ url, from: name === undefined ? 'forward target' : `forward target of ${name}` })
  }
  for (const { url } of drafts) found.push({ url, from: 'used before' })
  for (const { origin } of targets) found.push({ url: `${origin}/`, from: 'confirmed' })
  const seen = new Set<string>()
  return found
    .filter(({ url }) => url.trim() !== '' && !seen.has(url) && seen.add(url))
    .slice(0, maxAddresses)
}
