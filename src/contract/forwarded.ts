import * as z from 'zod'
import type { Header, Delivery } from './models.ts'
import { isProxyHeader, singleAddressHeaders } from './proxy-headers.ts'

export interface ClaimedAddress {
  /** Truncated if long. */
  readonly text: string
  /** Without port; null: not an IP address ("unknown", an obfuscated name ...). */
  readonly address: string | null
}

/** Of `X-Forwarded-*` and similar headers, not of `Forwarded`. Not verified: any sender can set these headers. */
export interface Claims {
  /** Without the last proxy, which connects to Tabscope. */
  readonly chain: readonly ClaimedAddress[]
  /** At the first proxy, truncated if long. */
  readonly protocol: string | null
  readonly host: string | null
  readonly port: string | null
  readonly contradictory: boolean
  /** All headers that proxies add, including those without claims, by index. */
  readonly headers: readonly number[]
}

const maxValueLength = 4000
const maxTextLength = 200
const maxHops = 32

/** Never throws; values that cannot be parsed are returned as text. */
export function readClaims(headers: readonly Header[]): Claims {
  const places: number[] = []
  const values = new Map<string, string[]>()
  for (const [place, [name, value]] of headers.entries()) {
    const lowerName = name.toLowerCase()
    if (!isProxyHeader(lowerName)) continue
    places.push(place)
    const before = values.get(lowerName)
    if (before) before.push(value.slice(0, maxValueLength))
    else values.set(lowerName, [value.slice(0, maxValueLength)])
  }
  const listed = (name: string): string[] => (values.get(name) ?? []).flatMap(entries)
  const forwarded = listed('x-forwarded-for').slice(0, maxHops).map(readClaimed)
  const alone = singleAddressHeaders.flatMap((name) => listed(name).slice(0, 1).map(readClaimed))
  const chain = forwarded.length > 0 ? forwarded : alone.slice(0, 1)
  const known = chain.flatMap(({ address }) => address ?? [])
  return {
    chain,
    protocol: truncate(listed('x-forwarded-proto')[0]),
    host: truncate(listed('x-forwarded-host')[0]),
    port: truncate(listed('x-forwarded-port')[0]),
    // `X-Real-IP` may contain an intermediate proxy: only an address that occurs nowhere else is a contradiction.
    contradictory:
      known.length > 0 && alone.some(({ address }) => address !== null && !known.includes(address)),
    headers: places,
  }
}

/** Bare, in brackets, or with a port, which some proxies add. */
function readClaimed(entry: string): ClaimedAddress {
  const bracketed = /^\[([^\]]{2,45})\](?::\d{1,5})?$/.exec(entry)?.[1]
  const withPort = /^([\d.]{7,15}):\d{1,5}$/.exec(entry)?.[1]
  const bare = bracketed ?? withPort ?? entry
  const isAddress =
    bare.length <= 45 &&
    (z.ipv6().safeParse(bare).success ||
      (bracketed === undefined && z.ipv4().safeParse(bare).success))
  if (!isAddress) return { text: truncate(entry) ?? '', address: null }
  // The form of IPv4 addresses on a dual-stack server (RFC 4291, section 2.5.5.2).
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1]
  return { text: entry, address: mapped ?? bare.toLowerCase() }
}

function entries(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function truncate(text: string | undefined): string | null {
  if (text === undefined) return null
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}

export const DescribedClaims = z.object({
  /** Tabscope's tunnel, or a header that any sender could set. */
  by: z.enum(['tunnel', 'header']),
  description: z.string(),
  /** `address` null: not an IP address. */
  chain: z.array(z.object({ text: z.string(), address: z.string().nullable() })).readonly(),
  protocol: z.string().nullable(),
  host: z.string().nullable(),
  port: z.string().nullable(),
  contradictory: z.boolean(),
})
export type DescribedClaims = z.infer<typeof DescribedClaims>

/** Null: no claims, and not received through the tunnel. */
export function describeClaims(
  { chain, protocol, host, port, contradictory }: Claims,
  via: Delivery['via'],
): DescribedClaims | null {
  const claims = { chain, protocol, host, port, contradictory }
  const text = formatClaims(claims)
  if (via !== 'tunnel' && text === '') return null
  const by = via === 'tunnel' ? 'tunnel' : 'header'
  return { by, description: formatSource(by, text), ...claims }
}

function formatSource(by: DescribedClaims['by'], text: string): string {
  switch (by) {
    case 'tunnel':
      return text === ''
        ? 'Received through the tunnel, which does not report a source.'
        : `Reported by the tunnel: ${text}.`
    case 'header':
      return `Reported by a header: ${text}. Received directly or through your own proxy.`
  }
}

function formatClaims({ chain, protocol, host, port }: Omit<Claims, 'headers' | 'contradictory'>) {
  const [client, ...proxies] = chain
  return [
    ...(client ? [`from ${formatAddress(client)}`] : []),
    ...(proxies.length > 0 ? [`via ${proxies.map(formatAddress).join(', ')}`] : []),
    ...(protocol === null ? [] : [`over ${quoteIfUnusual(protocol)}`]),
    ...(host === null ? [] : [`to ${quoteIfUnusual(host)}`]),
    ...(port === null ? [] : [`port ${quoteIfUnusual(port)}`]),
  ].join(', ')
}

function formatAddress({ text, address }: ClaimedAddress): string {
  return address ?? `“${text}” (not an IP address)`
}

/** A value with unexpected characters must not be mistaken for text of Tabscope. */
function quoteIfUnusual(text: string): string {
  return /^[\w.:[\]+-]+$/.test(text) ? text : `“${text}”`
}

export function claimNotes({ contradictory, chain, by }: DescribedClaims): string[] {
  return [
    ...(contradictory ? ['The headers contradict each other.'] : []),
    ...(by === 'tunnel' && chain.length > 1
      ? ['Only the last address was added by the tunnel. The others were in the request.']
      : []),
    'Not verified: any sender can set these headers.',
  ]
}

export const namesThroughTunnel =
  'The tunnel may change the letter case of header names, so it is not checked.'
