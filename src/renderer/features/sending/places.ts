import type { ForwardTarget } from '#contract/answering.ts'
import type { Endpoint, ListenerState } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'

/** An address that is offered. */
export interface Place {
  readonly url: string
  /** What it is. */
  readonly word: string
}

/** What is known that addresses can be made of. */
export interface KnownPlaces {
  /** Where it went before, the last one first. */
  readonly used: readonly string[]
  /** Where other deliveries went, the last one first. */
  readonly recent?: readonly string[]
  readonly forwards: readonly ForwardTarget[]
  readonly listener: ListenerState
  readonly endpoints: readonly Endpoint[]
  /** Of one delivery: its path on our listener, and its endpoint. Null: of many. */
  readonly delivery: { readonly path: string; readonly endpointId: number | null } | null
}

const most = 8
const mostRecent = 4

/** Addresses to choose from, the likeliest first, none twice. */
export function placesFor({
  used,
  recent = [],
  forwards,
  listener,
  endpoints,
  delivery,
}: KnownPlaces): readonly Place[] {
  const own = listener.state === 'listening' ? listener.origin : null
  const near = forwards.filter(
    ({ endpointId }) => delivery === null || endpointId === delivery.endpointId,
  )
  const places: Place[] = [
    ...used.map((url, index) => ({
      url,
      word: index === 0 ? 'where it went last' : 'used before',
    })),
    ...near.map(({ url }) => ({ url, word: 'forward target' })),
    ...recent.slice(0, mostRecent).map((url) => ({ url, word: 'recent' })),
    ...(own === null
      ? []
      : delivery === null
        ? endpoints.map(({ name, slug }) => ({
            url: `${own}/hooks/${slug}`,
            word: `own listener, ${name}`,
          }))
        : [{ url: `${own}${delivery.path}`, word: 'own listener' }]),
  ]
  const seen = new Set<string>()
  return places.filter(({ url }) => !seen.has(url) && seen.add(url)).slice(0, most)
}

/** Where a target is, and what follows from that, in a sentence. */
export function placeSentence({ place, confirmed, verifyTls, origin }: Target): string {
  const tls =
    origin.startsWith('https:') && !verifyTls ? ' TLS verification is off, as you chose.' : ''
  switch (place) {
    case 'own':
      return `Tabscope’s own listener: it arrives here as a delivery.${tls}`
    case 'loopback':
      return `On this machine.${tls}`
    case 'private':
      return `In your own network.${tls}`
    case 'public':
      return confirmed
        ? `Outside of this network, as you allowed.${tls}`
        : `Outside of this network: you are asked once before anything goes there.${tls}`
    case 'unresolved':
      return 'This name does not currently resolve.'
  }
}
