import { z } from 'zod'
import { readForwarded } from './forwarded-elements.ts'
import type { Header } from './models.ts'

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
