import type { ClaimedAddress, Claims } from './forwarded.ts'
import type { Delivery } from './models.ts'

/** What a client is told of the claims, for scripts and for people. */
export interface DescribedClaims extends Omit<Claims, 'headers'> {
  /** Whose words they are: those of our tunnel, or of a header that anybody may have written. */
  readonly by: 'tunnel' | 'header'
  /** The same in words. */
  readonly says: string
}

/** The claims about a delivery; null: there are none, and it did not come through our tunnel. */
export function describeClaims(
  { chain, protocol, host, port, contradictory }: Claims,
  via: Delivery['via'],
): DescribedClaims | null {
  const claims = { chain, protocol, host, port, contradictory }
  const said = inWords(claims)
  if (via === null && said === '') return null
  const by = via ?? 'header'
  return { by, says: sentence(by, said), ...claims }
}

function sentence(by: DescribedClaims['by'], said: string): string {
  switch (by) {
    case 'tunnel':
      return said === ''
        ? 'It came through the tunnel, which does not say from where.'
        : `The tunnel says: ${said}.`
    case 'header':
      return `A header says: ${said}. It came straight to the listener, or by a proxy of yours.`
  }
}

function inWords({ chain, protocol, host, port }: Omit<Claims, 'headers' | 'contradictory'>) {
  const [client, ...proxies] = chain
  return [
    ...(client ? [`from ${named(client)}`] : []),
    ...(proxies.length > 0 ? [`by way of ${proxies.map(named).join(', ')}`] : []),
    ...(protocol === null ? [] : [`over ${plain(protocol)}`]),
    ...(host === null ? [] : [`to ${plain(host)}`]),
    ...(port === null ? [] : [`port ${plain(port)}`]),
  ].join(', ')
}

function named({ text, address }: ClaimedAddress): string {
  return address ?? `“${text}”, which is no address`
}

/** In quotation marks where it is not what such a value looks like, so that it cannot pass for words of ours. */
function plain(text: string): string {
  return /^[\w.:[\]+-]+$/.test(text) ? text : `“${text}”`
}

/** What the claims are worth, as sentences. */
export function claimNotes({ contradictory, chain, by }: DescribedClaims): string[] {
  return [
    ...(contradictory ? ['The headers contradict each other.'] : []),
    ...(by === 'tunnel' && chain.length > 1
      ? ['Only the last address is the tunnel’s own word: those before it were sent along.']
      : []),
    'A claim, not a fact: whoever sends can write such headers as well.',
  ]
}

/** What is said once of the names of headers that came through our tunnel. */
export const namesThroughTunnel =
  'The letter case of header names is the tunnel’s, not the sender’s: nothing is concluded from it.'
