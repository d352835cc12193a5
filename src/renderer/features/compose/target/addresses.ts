import type { ForwardTarget } from '#contract/answering.ts'
import type { DraftSummary } from '#contract/compose.ts'
import type { Endpoint } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'

/** An address that could be sent to, and where it is known from. */
export interface KnownAddress {
  readonly url: string
  readonly from: string
}

interface Sources {
  readonly endpoints: readonly Endpoint[]
  /** The address of each endpoint of ours; null while nothing listens. */
  readonly urlOf: (endpoint: Endpoint) => string | null
  readonly forwards: readonly ForwardTarget[]
  readonly drafts: readonly Pick<DraftSummary, 'url'>[]
  readonly targets: readonly Pick<Target, 'origin'>[]
  /** As which endpoint the draft is: its own come first. */
  readonly endpointId: number | null
}

const most = 30

/** Addresses to choose from: our own listener, where the endpoint forwards to, those used before. None twice. */
export function knownAddresses(sources: Sources): KnownAddress[] {
  const { endpoints, urlOf, forwards, drafts, targets, endpointId } = sources
  const ownFirst = <T>(all: readonly T[], idOf: (each: T) => number): T[] => [
    ...all.filter((each) => idOf(each) === endpointId),
    ...all.filter((each) => idOf(each) !== endpointId),
  ]
  const found: KnownAddress[] = []
  for (const endpoint of ownFirst(endpoints, ({ id }) => id)) {
    const url = urlOf(endpoint)
    if (url !== null) found.push({ url, from: `our own listener, ${endpoint.name}` })
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
    .slice(0, most)
}

/** Those that fit what is written; all of them while that is one of them. */
export function fitting(known: readonly KnownAddress[], written: string): readonly KnownAddress[] {
  const word = written.trim().toLowerCase()
  if (word === '' || known.some(({ url }) => url === written)) return known
  return known.filter(({ url, from }) => `${url} ${from}`.toLowerCase().includes(word))
}
