import { z } from 'zod'
import type { Header, Delivery } from './models.ts'

/**
 * The elements of a `Forwarded` header (RFC 7239, section 4): for each, its values by parameter name in lower case. What does not follow the
 * grammar is taken as far as it can be, and never throws.
 */
export function readForwarded(value: string): ReadonlyMap<string, string>[] {
  return splitOutside(value, ',').flatMap((element) => {
    const pairs = splitOutside(element, ';').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      if (at < 1) return []
      return [[pair.slice(0, at).trim().toLowerCase(), unquoted(pair.slice(at + 1).trim())]]
    })
    // Of a name that comes twice in one element the first counts: the grammar allows it once.
    return pairs.length === 0 ? [] : [new Map(pairs.toReversed())]
  })
}

/** Splits at a character where it stands outside of quotation marks; one that is never closed reaches to the end. */
function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  return text.replace(/^"|"$/g, '').replaceAll(/\\(.)/gs, '$1')
}

/** An address as a header has it. */
export interface ClaimedAddress {
  /** As it was written; cut when it is long. */
  readonly text: string
  /** The IP address in it, without a port; null: it is none ("unknown", a hidden name, anything). */
  readonly address: string | null
}

/** What headers say of the way that a request took. Nothing of it is known to be so: whoever sends can write them as well. */
export interface Claims {
  /** Who sent it, and after that each proxy that passed it on, nearest to us last; the last proxy of all does not stand among them. */
  readonly chain: readonly ClaimedAddress[]
  /** As the first of them received it: text, cut when it is long. */
  readonly protocol: string | null
  readonly host: string | null
  readonly port: string | null
  /** The headers do not say the same of who sent it, or by which protocol. */
  readonly contradictory: boolean
  /** Places in the list of headers of all that are added on the way, those that claim nothing included. */
  readonly headers: readonly number[]
}

const longestValue = 4000
const longestText = 200
const mostHops = 32

/** Headers with one address in each. */
const singles: readonly string[] = ['cf-connecting-ip', 'true-client-ip', 'x-real-ip']

/** What else proxies, tunnels and their networks add, of which that is certain. */
const marks: ReadonlySet<string> = new Set([
  'cdn-loop',
  'cf-connecting-ipv6',
  'cf-ew-via',
  'cf-ipcountry',
  'cf-pseudo-ipv4',
  'cf-ray',
  'cf-visitor',
  'cf-warp-tag-id',
  'cf-worker',
  'via',
  'x-nginx-proxy',
])

/** Whether a header is one of those that are added on the way, by its name in lower case. */
export function isProxyHeader(lowerName: string): boolean {
  return (
    lowerName.startsWith('x-forwarded-') ||
    lowerName === 'forwarded' ||
    singles.includes(lowerName) ||
    marks.has(lowerName)
  )
}

/** Reads what the headers of a request claim of its way. Any header list has an answer; what cannot be read is kept as text. */
export function readClaims(headers: readonly Header[]): Claims {
  const places: number[] = []
  const values = new Map<string, string[]>()
  for (const [place, [name, value]] of headers.entries()) {
    const lowerName = name.toLowerCase()
    if (!isProxyHeader(lowerName)) continue
    places.push(place)
    const before = values.get(lowerName)
    if (before) before.push(value.slice(0, longestValue))
    else values.set(lowerName, [value.slice(0, longestValue)])
  }
  const listed = (name: string): string[] => (values.get(name) ?? []).flatMap(entries)
  const forwarded = (values.get('forwarded') ?? []).flatMap(readForwarded)
  const told = (name: string): string[] =>
    forwarded.flatMap((element) => element.get(name) ?? []).filter((text) => text !== '')

  const chains = [listed('x-forwarded-for'), told('for')].map((texts) =>
    texts.slice(0, mostHops).map(readClaimed),
  )
  const alone = singles.flatMap((name) => listed(name).slice(0, 1).map(readClaimed))
  const protocols = [listed('x-forwarded-proto'), told('proto')].map(([first]) => cut(first))
  const [chain = alone.slice(0, 1)] = chains.filter(({ length }) => length > 0)
  const known = chain.flatMap(({ address }) => address ?? [])
  return {
    chain,
    protocol: protocols.find((protocol) => protocol !== null) ?? null,
    host: cut(listed('x-forwarded-host')[0] ?? told('host')[0]),
    port: cut(listed('x-forwarded-port')[0]),
    contradictory:
      differing(chains.map(([first]) => first?.address ?? null)) ||
      // `X-Real-IP` may name a proxy in the middle: a contradiction is only what stands nowhere else.
      (known.length > 0 && alone.some(({ address }) => address && !known.includes(address))) ||
      differing(protocols.map((protocol) => protocol?.toLowerCase() ?? null)),
    headers: places,
  }
}

/** The address in one entry: bare, in brackets, with a port (RFC 7239, section 6; some proxies add ports to `X-Forwarded-For` too). */
function readClaimed(entry: string): ClaimedAddress {
  const bracketed = /^\[([^\]]{2,45})\](?::\d{1,5})?$/.exec(entry)?.[1]
  const withPort = /^([\d.]{7,15}):\d{1,5}$/.exec(entry)?.[1]
  const bare = bracketed ?? withPort ?? entry
  const isAddress =
    bare.length <= 45 &&
    (z.ipv6().safeParse(bare).success ||
      (bracketed === undefined && z.ipv4().safeParse(bare).success))
  if (!isAddress) return { text: cut(entry) ?? '', address: null }
  // A server that listens for both families sees IPv4 so (RFC 4291, section 2.5.5.2).
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1]
  return { text: entry, address: mapped ?? bare.toLowerCase() }
}

function entries(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function differing(said: readonly (string | null)[]): boolean {
  return new Set(said.filter((each) => each !== null)).size > 1
}

function cut(text: string | undefined): string | null {
  if (text === undefined) return null
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

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
