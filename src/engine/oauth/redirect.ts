import { isLoopback } from '#shared/text/address.ts'
import { checkState, type StateRefusal } from './authorize-url.ts'

/** What the service adds to the redirect URL (SPEC, "Authorization endpoint"; RFC 6749, section 4.1.2). */
export const returnParameters = [
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
] as const

export type ReturnJudgement =
  /** This is the way back, with our state; its other parameters are still to be read (`returned.ts`). */
  | { readonly kind: 'ours' }
  /**
   * The redirect URL itself, but without our state, exactly once. Anybody can send a browser there, so it ends nothing: not even an error counts
   * (RFC 6749, section 10.12).
   */
  | { readonly kind: 'unsolicited'; readonly code: StateRefusal; readonly message: string }
  /** Near the redirect URL, but not it. `final`: it carries our state and an answer, so nothing else will come, and the run ends. */
  | {
      readonly kind: 'refused'
      readonly code: 'redirect_path' | 'redirect_query' | 'redirect_origin'
      readonly final: boolean
      readonly message: string
    }
  /** A page on the way: even one that carries a `code`. */
  | { readonly kind: 'elsewhere' }

export interface ExpectedReturn {
  /** As configured; a fragment of it counts for nothing. */
  readonly redirectUrl: string
  readonly state: string
}

const elsewhere = { kind: 'elsewhere' } as const

/**
 * Whether an address that the user agent goes to is the way back: parsed values are compared, never patterns. Ours has the origin, the path and
 * every configured query parameter of the redirect URL, exactly; what the service adds beside is let in, and shown.
 */
export function judgeReturn(address: string, expected: ExpectedReturn): ReturnJudgement {
  const at = URL.parse(address)
  const wanted = URL.parse(expected.redirectUrl)
  if (!at || !wanted) return elsewhere
  const final = carriesOurAnswer(at, expected.state)
  if (originOf(at) !== originOf(wanted)) {
    if (!final || !looksAlike(at, wanted)) return elsewhere
    return {
      kind: 'refused',
      code: 'redirect_origin',
      final,
      message: `The answer went to ${placeOf(at)}, which is not the redirect URL ${placeOf(wanted)}: its origin differs. Its code was not used.`,
    }
  }
  if (at.pathname !== wanted.pathname) {
    return {
      kind: 'refused',
      code: 'redirect_path',
      final,
      message: `${placeOf(at)} is on the redirect URL's origin, but its path is not ${wanted.pathname}. Paths are compared exactly, with their case and their last slash.`,
    }
  }
  const missing = queryDeparture(at, wanted)
  if (missing) return { kind: 'refused', code: 'redirect_query', final, message: missing }
  const refusal = checkState(expected.state, at.searchParams.getAll('state'))
  return refusal ? { kind: 'unsolicited', ...refusal } : { kind: 'ours' }
}

/** Names of what came beside the configured query and the parameters of the answer. */
export function extraParameters(address: string, redirectUrl: string): string[] {
  const known = new Set<string>(returnParameters)
  for (const name of URL.parse(redirectUrl)?.searchParams.keys() ?? []) known.add(name)
  const names = [...(URL.parse(address)?.searchParams.keys() ?? [])]
  return [...new Set(names.filter((name) => !known.has(name)))]
}

/** Scheme, user, host and port. Not `URL.origin`, which is "null" for every custom scheme alike. */
function originOf({ protocol, username, password, host }: URL): string {
  const user = username || password ? `${username}:${password}@` : ''
  return `${protocol}//${user}${host}`
}

/** An address without its query, which may carry a code, for people. */
function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}

function carriesOurAnswer({ searchParams }: URL, state: string): boolean {
  return (
    (searchParams.has('code') || searchParams.has('error')) &&
    checkState(state, searchParams.getAll('state')) === null
  )
}

/**
 * Another origin that was most likely meant to be the redirect URL: the same host under another scheme or port, another name of this machine, or an
 * origin that begins with ours or ours with it, as `https://app.example` and `https://app.example.evil` do.
 */
function looksAlike(at: URL, wanted: URL): boolean {
  const [a, b] = [`${at.protocol}//${at.host}`, `${wanted.protocol}//${wanted.host}`]
  const oneBeginsWithOther = a.startsWith(b) || b.startsWith(a)
  if (at.pathname !== wanted.pathname) return wanted.pathname === '/' && oneBeginsWithOther
  const sameMachine = isLoopback(at.hostname) && isLoopback(wanted.hostname)
  return (
    oneBeginsWithOther ||
    at.hostname === wanted.hostname ||
    (sameMachine && at.port === wanted.port)
  )
}

/** How the configured query is not what came, as a sentence; null when all of it is there, in order, and none of it twice. */
function queryDeparture(at: URL, wanted: URL): string | null {
  const configured = [...wanted.searchParams]
  const names = new Set(configured.map(([name]) => name))
  const came = [...at.searchParams].filter(([name]) => names.has(name))
  const same =
    came.length === configured.length &&
    configured.every(([name, value], i) => came[i]?.[0] === name && came[i][1] === value)
  if (same) return null
  return `The redirect matches the redirect URL except for its query: ${[...names].join(', ')} must be there exactly as configured.`
}

/** The text as an https address; null where that makes no sense either. */
export function withHttps(text: string): string | null {
  const whole = `https://${text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')}`
  return !whole.startsWith('https:///') && URL.canParse(whole) ? whole : null
}

/** True when a listener of ours can take the user back: http on this machine (RFC 8252, section 7.3). */
export function canBeServed(redirectUrl: string): boolean {
  const url = URL.parse(redirectUrl)
  return url?.protocol === 'http:' && isLoopback(url.hostname) && url.port !== '0'
}
