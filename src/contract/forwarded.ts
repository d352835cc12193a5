import { z } from 'zod'
import type { Header, Delivery } from './models.ts'
import { isProxyHeader, singleAddressHeaders } from './proxy-headers.ts'

/** RFC 7239, section 4: by parameter name in lower case. Input that violates the grammar is parsed as far as possible. Never throws. */
export function readForwarded(value: string): ReadonlyMap<string, string>[] {
  return splitOutside(value, ',').flatMap((element) => {
    const pairs = splitOutside(element, ';').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      if (at < 1) return []
      return [[pair.slice(0, at).trim().toLowerCase(), unquoted(pair.slice(at + 1).trim())]]
    })
    // The first value counts if a name occurs twice: the grammar allows it once.
    return pairs.length === 0 ? [] : [new Map(pairs.toReversed())]
  })
}

/** Outside of quotation marks. An unclosed quotation extends to the end. */
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

export interface ClaimedAddress {
  /** Truncated if long. */
  readonly text: string
  /** Without port; null: not an IP address ("unknown", an obfuscated name ...). */
  readonly address: string | null
}

/** Not verified: any sender can set these headers. */
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
  const forwarded = (values.get('forwarded') ?? []).flatMap(readForwarded)
  const forwardedValues = (name: string): string[] =>
    forwarded.flatMap((element) => element.get(name) ?? []).filter((text) => text !== '')

  const chains = [listed('x-forwarded-for'), forwardedValues('for')].map((texts) =>
    texts.slice(0, maxHops).map(readClaimed),
  )
  const alone = singleAddressHeaders.flatMap((name) => listed(name).slice(0, 1).map(readClaimed))
  const protocols = [listed('x-forwarded-proto'), forwardedValues('proto')].map(([first]) =>
    truncate(first),
  )
  const [chain = alone.slice(0, 1)] = chains.filter(({ length }) => length > 0)
  const known = chain.flatMap(({ address }) => address ?? [])
  return {
    chain,
    protocol: protocols.find((protocol) => protocol !== null) ?? null,
    host: truncate(listed('x-forwarded-host')[0] ?? forwardedValues('host')[0]),
    port: truncate(listed('x-forwarded-port')[0]),
    contradictory:
      hasConflict(chains.map(([first]) => first?.address ?? null)) ||
      // `X-Real-IP` may contain an intermediate proxy: only an address that occurs nowhere else is a contradiction.
      (known.length > 0 && alone.some(({ address }) => address && !known.includes(address))) ||
      hasConflict(protocols.map((protocol) => protocol?.toLowerCase() ?? null)),
    headers: places,
  }
}

/** Bare, in brackets, or with a port (RFC 7239, section 6; some proxies also add ports to `X-Forwarded-For`). */
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

function hasConflict(values: readonly (string | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size > 1
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
