import type { Integration, Preflight, PreflightCheck } from '#contract/integrations.ts'
import { hasCredentials, isHttp, isLoopback } from '#shared/text/address.ts'
import { authorizeUrl, tokenUrl } from './authorize-url.ts'
import { tunnelNote, type TunnelAddress } from './tunnel-addresses.ts'
import { canBeServed, withHttps, redirectParameterNames } from './redirect.ts'

const unusableSchemes = new Set(['javascript:', 'data:', 'file:', 'about:', 'blob:'])

/** `name`: of the check among those of its field. */
type AddCheck = (
  name: string,
  outcome: PreflightCheck['outcome'],
  message: string,
  suggestion?: string | null,
) => void

/** The redirect URL must exactly equal the dashboard's entry, so corrections are suggested, never applied. */
function checkRedirectUrl(text: string, listed: readonly string[], add: AddCheck): void {
  if (text === '') {
    return add('missing', 'error', 'Enter a redirect URL exactly as listed on the dashboard.')
  }
  if (/\s/.test(text)) {
    add(
      'spaces',
      'warning',
      'The redirect URL contains spaces or line breaks. They count in the comparison with the dashboard.',
      text.trim().replaceAll(/\s/g, '%20'),
    )
  }
  const url = URL.parse(text)
  if (!url || unusableSchemes.has(url.protocol) || url.port === '0') {
    return add(
      'not_url',
      'error',
      'The redirect URL is not a complete URL. It must start with https://, or with http:// for this machine.',
      url ? null : withHttps(text),
    )
  }
  if (!listed.includes(text)) {
    add(
      'not_listed',
      'error',
      'This redirect URL is not in the integration’s list. Add it exactly as on the dashboard.',
    )
  }
  if (text.includes('#')) {
    add(
      'fragment',
      'error',
      'A redirect URL must not have a fragment (RFC 6749, section 3.1.2): browsers never send it.',
      text.slice(0, text.indexOf('#')),
    )
  }
  const reserved = redirectParameterNames.filter((name) => url.searchParams.has(name))
  if (reserved.length > 0) {
    add(
      'reserved_parameter',
      'error',
      `Its query already has ${reserved.join(', ')}, which the service adds to the redirect. Two parameters with the same name are ambiguous. Use another name.`,
    )
  }
  checkOrigin(text, url, add)
}

function checkOrigin(text: string, url: URL, add: AddCheck): void {
  const local = isLoopback(url.hostname)
  if (url.protocol === 'http:' && local) {
    add(
      'loopback',
      'ok',
      `Tabscope listens on ${url.hostname}, port ${url.port || '80'}, and serves ${url.pathname} during the run (RFC 8252, section 7.3). Nothing else may use that port.`,
    )
  } else if (url.protocol === 'https:' && local) {
    add(
      'loopback_https',
      'warning',
      'Tabscope has no certificate for this machine, so it cannot serve this redirect URL. Tabscope’s own window still catches the redirect. In a browser, paste the address you land on.',
      text.replace(/^https:/i, 'http:'),
    )
  } else if (url.protocol === 'http:') {
    add(
      'not_https',
      'warning',
      'The code would be sent unencrypted. A redirect URL must use https unless it is on this machine (RFC 6749, section 3.1.2.1).',
      text.replace(/^http:/i, 'https:'),
    )
  }
  if (url.hostname === 'localhost') {
    add(
      'localhost',
      'warning',
      'RFC 8252, section 8.3, recommends 127.0.0.1: localhost may resolve to another interface. Either way, it must equal the dashboard’s entry.',
      text.replace(/localhost/i, '127.0.0.1'),
    )
  }
}

export interface PreflightInput extends Pick<
  Integration,
  'baseUrl' | 'accessId' | 'accessSecret' | 'redirectUrl' | 'redirectUrls' | 'kind'
> {
  /** Addresses of Tabscope's own tunnel, which cannot receive a redirect. */
  readonly tunnels: readonly TunnelAddress[]
}

/** Checks everything a flow needs before it opens a page. Pure. */
export function preflight(input: PreflightInput): Preflight {
  const { baseUrl, accessId, redirectUrl, redirectUrls, tunnels } = input
  const checks = [
    ...ofField('baseUrl', input, baseUrl === '', (add) => checkBaseUrl(baseUrl, add)),
    ...ofField('accessId', input, accessId === '', (add) => checkAccessId(accessId, add)),
    ...ofField('accessSecret', input, !input.accessSecret.set, (add) => checkSecret(input, add)),
    ...ofField('redirectUrl', input, redirectUrl === '', (add) => {
      checkRedirectUrl(redirectUrl, redirectUrls, add)
      const note = tunnelNote(redirectUrl, redirectUrls, tunnels)
      if (note) add('tunnel', 'warning', note.message, note.suggestion)
    }),
    ...redirectUrls.filter((url) => url !== redirectUrl).flatMap((url) => unused(url, tunnels)),
  ]
  const failed = (field: PreflightCheck['field']): boolean =>
    checks.some((check) => check.field === field && check.outcome === 'error')
  const base = baseUrl !== '' && !failed('baseUrl')
  const complete = base && accessId !== '' && redirectUrl !== ''
  return {
    ready: checks.every(({ outcome }) => outcome !== 'error'),
    checks,
    redirectUrl,
    redirectMode: canBeServed(redirectUrl) ? 'served' : 'paste',
    authorizeUrl: complete ? authorizeUrl({ baseUrl, accessId, redirectUrl, state: null }) : null,
    tokenUrl: base ? tokenUrl(baseUrl).href : null,
  }
}

const prefixes = {
  baseUrl: 'base_url',
  accessId: 'access_id',
  accessSecret: 'access_secret',
  redirectUrl: 'redirect_url',
} as const satisfies Record<PreflightCheck['field'], string>

function checksOf(
  field: PreflightCheck['field'],
  redirectUrl: string | null,
  check: (add: AddCheck) => void,
): PreflightCheck[] {
  const found: PreflightCheck[] = []
  check((name, outcome, message, suggestion = null) => {
    const code = `${prefixes[field]}.${name}`
    found.push({ code, outcome, message, suggestion, field, redirectUrl })
  })
  return found
}

/** Fields that the sandbox fills in when it starts may be empty. */
function ofField(
  field: PreflightCheck['field'],
  { kind, redirectUrl }: PreflightInput,
  empty: boolean,
  check: (add: AddCheck) => void,
): PreflightCheck[] {
  return checksOf(field, field === 'redirectUrl' ? redirectUrl : null, (add) => {
    if (empty && kind === 'sandbox') add('sandbox', 'ok', 'The sandbox sets this when it starts.')
    else check(add)
  })
}

function unused(url: string, tunnels: readonly TunnelAddress[]): PreflightCheck[] {
  return checksOf('redirectUrl', url, (add) => {
    const note = tunnelNote(url, [], tunnels)
    if (note) add('tunnel', 'warning', `Listed, but not in use: ${note.message}`)
  })
}

function checkBaseUrl(text: string, add: AddCheck): void {
  if (text === '') {
    return add('missing', 'error', 'Enter the base URL that the service gave you.')
  }
  const url = URL.parse(text)
  if (!url) {
    return add(
      'not_url',
      'error',
      'The base URL is not a complete URL. It must start with https://.',
      withHttps(text),
    )
  }
  if (!isHttp(url)) {
    return add(
      'not_http',
      'error',
      `The base URL starts with ${url.protocol}. It must start with https:// (or http:// on this machine).`,
      withHttps(text),
    )
  }
  if (hasCredentials(url.href)) {
    add(
      'credentials',
      'error',
      'The base URL contains a username or password, which would be sent and shown with every request. Remove it.',
      corrected(url, (copy) => {
        copy.username = ''
        copy.password = ''
      }),
    )
  }
  if (/[?#]/.test(text)) {
    add(
      'query_or_fragment',
      'error',
      'The base URL has a query or a fragment. Remove it: paths are appended to the base URL.',
      corrected(url, (copy) => {
        copy.search = ''
        copy.hash = ''
      }),
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    add(
      'http_not_loopback',
      'warning',
      'The access secret, code and token would be sent unencrypted. Use https:// unless the service is on this machine.',
      text.replace(/^http:/i, 'https:'),
    )
  }
}

function corrected(url: URL, change: (copy: URL) => void): string {
  const copy = new URL(url)
  change(copy)
  return copy.href.replace(/\/$/, '')
}

function checkAccessId(text: string, add: AddCheck): void {
  if (text === '') {
    return add('missing', 'error', 'Enter the access ID (api_access_id) from the dashboard.')
  }
  if (!/\s/.test(text)) return
  add(
    'spaces',
    'warning',
    'The access ID contains spaces, probably from copying it.',
    text.replaceAll(/\s/g, ''),
  )
}

function checkSecret({ accessSecret }: PreflightInput, add: AddCheck): void {
  if (!accessSecret.set) {
    return add(
      'missing',
      'error',
      'Enter the access secret (api_access_secret) from the dashboard. It is encrypted before it is stored.',
    )
  }
  if (accessSecret.whiteSpaceAtEnds) {
    return add(
      'white_space',
      'warning',
      'The access secret starts or ends with white space, probably from copying it. The service may respond with 401. Replace it, unless the dashboard shows it with white space.',
    )
  }
  if (!accessSecret.unavailable) return
  add(
    'unavailable',
    'error',
    'The access secret was encrypted with a key that is no longer available. Enter it again.',
  )
}
