import { isLoopback } from '#shared/text/address.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { checkState, type StateRefusal } from './authorize-url.ts'
import type { RunFailureCode } from '#contract/authorization.ts'

/** Added by the service (API documentation, "Authorization endpoint"; RFC 6749, section 4.1.2). */
export const redirectParameterNames = [
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
] as const

export type ReturnJudgement =
  /** Has our state. `readRedirect` reads its other parameters. */
  | { readonly kind: 'ours' }
  /** Without our state exactly once. Anyone can send a browser there, so it does not end the run, even with an error (RFC 6749, section 10.12). */
  | {
      readonly kind: 'unsolicited'
      readonly code: StateRefusal
      readonly message: string
      /** Without its query; null: the redirect URL. */
      readonly at: string | null
    }
  | RefusedRedirect
  /** Any other page, even one with a `code`. */
  | { readonly kind: 'elsewhere' }

/** Similar to the redirect URL, but different. */
export interface RefusedRedirect {
  readonly kind: 'refused'
  readonly code: 'redirect_path' | 'redirect_query' | 'redirect_origin' | 'redirect_post'
  /** It has our state and a result, so no other redirect will follow and the run ends. */
  readonly final: boolean
  readonly message: string
  /** What differs from the redirect URL, for display. */
  readonly facts: readonly { readonly name: string; readonly value: string }[]
}

export interface ExpectedReturn {
  /** As configured. A fragment is ignored. */
  readonly redirectUrl: string
  readonly state: string
}

const elsewhere = { kind: 'elsewhere' } as const

/**
 * Decides whether an address that the user agent opens is the redirect. Compares parsed values, never patterns: origin, path and every configured query
 * parameter must be equal. Additional parameters are allowed, and shown.
 */
export function judgeReturn(address: string, expected: ExpectedReturn): ReturnJudgement {
  const actual = URL.parse(address)
  const configured = URL.parse(expected.redirectUrl)
  if (!actual || !configured) return elsewhere
  const final = carriesOurResult(actual, expected.state)
  if (originOf(actual) !== originOf(configured)) {
    return final && looksAlike(actual, configured) ? otherOrigin(actual, configured) : elsewhere
  }
  const facts = differences(actual, configured)
  if (actual.pathname !== configured.pathname) {
    return {
      kind: 'refused',
      code: 'redirect_path',
      final,
      message: `${withoutQuery(actual)} has the redirect URL’s origin, but its path is not ${configured.pathname}. Paths are compared exactly, including case and trailing slash.`,
      facts,
    }
  }
  const message = queryDifference(actual, configured)
  if (message) {
    return { kind: 'refused', code: 'redirect_query', final, message, facts }
  }
  const refusal = checkState(expected.state, actual.searchParams.getAll('state'))
  return refusal
    ? { kind: 'unsolicited', ...refusal, message: refusal.message + noParameters(actual), at: null }
    : { kind: 'ours' }
}

export interface Visit {
  /** With the host as received. */
  readonly address: string
  readonly method: 'GET' | 'POST'
  /** The body of a POST, if it is a form. */
  readonly form: string | null
}

/**
 * Judges a request that has arrived, so it is about this run if it has our state and a result, wherever it arrived. A `Host` that is not of this machine
 * may be a name rebound by a page of somebody else, and only our state shows that it is not.
 */
export function judgeVisit(
  { address, method, form }: Visit,
  expected: ExpectedReturn,
): ReturnJudgement {
  const actual = URL.parse(address)
  const configured = URL.parse(expected.redirectUrl)
  if (!actual || !configured) return elsewhere
  const judged = method === 'GET' ? judgeReturn(address, expected) : elsewhere
  if (judged.kind === 'ours' || judged.kind === 'unsolicited') return judged
  const inForm = new URLSearchParams(form ?? '')
  const final = carriesOurResult(actual, expected.state)
  if (method === 'POST' && (final || carriesOurResult({ searchParams: inForm }, expected.state))) {
    return byPost(actual, configured, !final)
  }
  if (final) return judged.kind === 'refused' ? judged : otherOrigin(actual, configured)
  if (!isLoopback(actual.hostname)) return elsewhere
  if (method === 'POST' && actual.pathname === configured.pathname && !hasResult(inForm)) {
    const message =
      'A POST without a code or error arrived. The API documentation describes a redirect with a query ("Authorization endpoint").'
    return { kind: 'unsolicited', code: 'state_missing', message, at: withoutQuery(actual) }
  }
  const parameters = hasResult(inForm) ? inForm : actual.searchParams
  const refusal = hasResult(parameters)
    ? checkState(expected.state, parameters.getAll('state'))
    : null
  return refusal ? { kind: 'unsolicited', ...refusal, at: withoutQuery(actual) } : elsewhere
}

function otherOrigin(actual: URL, configured: URL): RefusedRedirect {
  const [received, wanted] = [withoutQuery(actual), withoutQuery(configured)]
  const facts = differences(actual, configured)
  const isLocal = isLoopback(actual.hostname) && isLoopback(configured.hostname)
  const advice = isLocal
    ? ` Both are on this computer: list ${wanted} on the dashboard, or add and select ${received} here.`
    : ''
  return {
    kind: 'refused',
    code: 'redirect_origin',
    final: true,
    message: `The service redirected to ${received}, but the redirect URL is ${wanted}: ${inWords(facts)}. The code was not used.${advice}`,
    facts,
  }
}

function byPost(actual: URL, configured: URL, inForm: boolean): RefusedRedirect {
  const found = differences(actual, configured)
  const how = inForm
    ? 'as a form (POST, known as form_post)'
    : 'with POST, as after a redirect with status 307 or 308 from a form'
  const also = found.length === 0 ? '' : ` Also, ${inWords(found)}.`
  return {
    kind: 'refused',
    code: 'redirect_post',
    final: true,
    message: `The code or error arrived at ${withoutQuery(actual)} ${how}, not in the query of a GET.${also} It was not used.`,
    facts: [{ name: 'method', value: 'POST, expected GET' }, ...found],
  }
}

function partsOf(url: URL): [name: string, value: string][] {
  return [
    ['scheme', url.protocol.slice(0, -1)],
    ['user', url.username],
    ['host', url.hostname],
    ['port', url.port || (url.protocol === 'https:' ? '443' : '80')],
    ['path', shortened(url.pathname)],
  ]
}

function differences(actual: URL, configured: URL): { name: string; value: string }[] {
  const wanted = new Map(partsOf(configured))
  return partsOf(actual)
    .filter(([name, value]) => value !== wanted.get(name))
    .map(([name, value]) => ({
      name,
      value: `${value || '(none)'}, expected ${wanted.get(name) || '(none)'}`,
    }))
}

function inWords(facts: RefusedRedirect['facts']): string {
  return facts
    .map(({ name, value }) => `the ${name} is “${value.replace(', expected ', '”, not “')}”`)
    .join(', and ')
}

/** A fragment and a form are not seen here. */
function noParameters({ search }: URL): string {
  return search === ''
    ? ' It had no query at all: a service that sends the parameters in a form (POST) or after # does not follow the API documentation ("Authorization endpoint").'
    : ''
}

export function extraParameters(address: string, redirectUrl: string): string[] {
  const known = new Set<string>(redirectParameterNames)
  for (const name of URL.parse(redirectUrl)?.searchParams.keys() ?? []) known.add(name)
  const names = [...(URL.parse(address)?.searchParams.keys() ?? [])]
  return [...new Set(names.filter((name) => !known.has(name)))]
}

/** Scheme, user, host and port. Not `URL.origin`, which is "null" for every custom scheme. */
function originOf({ protocol, username, password, host }: URL): string {
  const user = username || password ? `${username}:${password}@` : ''
  return `${protocol}//${user}${host}`
}

function withoutQuery({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${shortened(pathname)}`
}

function shortened(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}…`
}

function hasResult(parameters: URLSearchParams): boolean {
  return parameters.has('code') || parameters.has('error')
}

function carriesOurResult({ searchParams }: Pick<URL, 'searchParams'>, state: string): boolean {
  return hasResult(searchParams) && checkState(state, searchParams.getAll('state')) === null
}

/**
 * Whether another origin was probably meant: the same host with another scheme or port, another name of this machine, or an origin of which one is a
 * prefix of the other, such as `https://app.example` and `https://app.example.evil`.
 */
function looksAlike(actual: URL, configured: URL): boolean {
  const [a, b] = [
    `${actual.protocol}//${actual.host}`,
    `${configured.protocol}//${configured.host}`,
  ]
  const isPrefix = a.startsWith(b) || b.startsWith(a)
  if (actual.pathname !== configured.pathname) return configured.pathname === '/' && isPrefix
  const sameMachine = isLoopback(actual.hostname) && isLoopback(configured.hostname)
  return (
    isPrefix ||
    actual.hostname === configured.hostname ||
    (sameMachine && actual.port === configured.port)
  )
}

/** Null if all configured parameters are present, in order, and none is repeated. */
function queryDifference(actual: URL, configured: URL): string | null {
  const expected = [...configured.searchParams]
  const names = new Set(expected.map(([name]) => name))
  const received = [...actual.searchParams].filter(([name]) => names.has(name))
  const same =
    received.length === expected.length &&
    expected.every(([name, value], i) => received[i]?.[0] === name && received[i][1] === value)
  if (same) return null
  return `The redirect matches the redirect URL except for its query: ${[...names].join(', ')} must be there exactly as configured.`
}

/** Null if that is no valid URL either. */
export function withHttps(text: string): string | null {
  const url = `https://${text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')}`
  return !url.startsWith('https:///') && URL.canParse(url) ? url : null
}

/** Tabscope can listen on http on this machine (RFC 8252, section 7.3). */
export function canBeServed(redirectUrl: string): boolean {
  const url = URL.parse(redirectUrl)
  return url?.protocol === 'http:' && isLoopback(url.hostname) && url.port !== '0'
}

export interface RedirectParameters {
  readonly states: readonly string[]
  readonly codes: readonly string[]
  readonly errors: readonly string[]
  readonly errorDescription: string | null
  readonly errorUri: string | null
}

type Refusal =
  | StateRefusal
  | Extract<RunFailureCode, 'access_denied' | 'authorization_error' | 'code_missing'>

export type RedirectOutcome =
  | { readonly ok: true; readonly code: string }
  | {
      readonly ok: false
      readonly refusal: Refusal
      /** A sentence that contains no code. */
      readonly message: string
      /** Later checks were not made. */
      readonly at: 'state' | 'error' | 'code'
    }

function refuse(
  at: 'state' | 'error' | 'code',
  refusal: Refusal,
  message: string,
): RedirectOutcome {
  return { ok: false, refusal, message, at }
}

export function redirectParameters(address: string): RedirectParameters {
  const query = URL.parse(address)?.searchParams ?? new URLSearchParams()
  return {
    states: query.getAll('state'),
    codes: query.getAll('code'),
    errors: query.getAll('error'),
    errorDescription: query.get('error_description'),
    errorUri: query.get('error_uri'),
  }
}

/**
 * Checks the state, then errors, then exactly one non-empty code (API documentation, "Authorization endpoint"; RFC 6749, sections 4.1.2 and 10.12).
 * Anything unexpected is rejected.
 */
export function readRedirect(address: string, expectedState: string): RedirectOutcome {
  const { states, codes, errors, errorDescription } = redirectParameters(address)
  const stateRefusal = checkState(expectedState, states)
  if (stateRefusal) return refuse('state', stateRefusal.code, stateRefusal.message)

  const named = errors.filter((error) => error !== '')
  if (named.length > 0) {
    const description = errorDescription ? `: ${quoteForeign(errorDescription.slice(0, 500))}` : '.'
    return named.length === 1 && named[0] === 'access_denied'
      ? refuse('error', 'access_denied', `The request was not approved${description}`)
      : refuse(
          'error',
          'authorization_error',
          `The service returned the error ${named.map((error) => quoteForeign(error.slice(0, 200))).join(', ')}${description}`,
        )
  }

  const [code] = codes
  if (code === undefined) {
    return refuse('code', 'code_missing', 'Neither a code nor an error was returned.')
  }
  if (codes.length > 1) {
    return refuse('code', 'code_missing', `The code was returned ${codes.length} times.`)
  }
  if (code.trim() === '') return refuse('code', 'code_missing', 'The returned code is empty.')
  return { ok: true, code }
}
