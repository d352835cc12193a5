import type { Integration, Preflight, PreflightCheck } from '#contract/integrations.ts'
import { isHttp, isLoopback } from '#shared/text/address.ts'
import { authorizeUrl, tokenUrl } from './authorize-url.ts'
import { redirectNotes } from './preflight-redirect.ts'
import { tunnelNote, type TunnelAddress } from './tunnel-addresses.ts'
import { canBeServed, withHttps } from './redirect.ts'

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
    ...ofField('baseUrl', input, baseUrl === '', () => baseNotes(baseUrl)),
    ...ofField('accessId', input, accessId === '', () => accessIdNotes(accessId)),
    ...ofField('accessSecret', input, !input.accessSecret.set, () => secretNotes(input)),
    ...ofField('redirectUrl', input, redirectUrl === '', () => [
      ...redirectNotes(redirectUrl, redirectUrls),
      ...[tunnelNote(redirectUrl, redirectUrls, tunnels)].filter((note) => note !== null),
    ]),
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

type Note = Omit<PreflightCheck, 'field' | 'redirectUrl'>

const prefixes = {
  baseUrl: 'base_url',
  accessId: 'access_id',
  accessSecret: 'access_secret',
  redirectUrl: 'redirect_url',
} as const satisfies Record<PreflightCheck['field'], string>

/** Fields that the sandbox fills in when it starts may be empty. */
function ofField(
  field: PreflightCheck['field'],
  { kind, redirectUrl: used }: PreflightInput,
  empty: boolean,
  notes: () => Note[],
): PreflightCheck[] {
  const found: Note[] =
    empty && kind === 'sandbox'
      ? [
          {
            code: `${prefixes[field]}.sandbox`,
            outcome: 'ok',
            message: 'The sandbox sets this when it starts.',
            suggestion: null,
          },
        ]
      : notes()
  const redirectUrl = field === 'redirectUrl' ? used : null
  return found.map((note) => ({ ...note, field, redirectUrl }))
}

function unused(url: string, tunnels: readonly TunnelAddress[]): PreflightCheck[] {
  const found = tunnelNote(url, [], tunnels)
  if (found === null) return []
  const message = `Listed, but not in use: ${found.message}`
  return [{ ...found, message, suggestion: null, field: 'redirectUrl', redirectUrl: url }]
}

function note(
  code: string,
  outcome: PreflightCheck['outcome'],
  message: string,
  suggestion: string | null = null,
): Note {
  return { code, outcome, message, suggestion }
}

function baseNotes(text: string): Note[] {
  if (text === '') {
    return [note('base_url.missing', 'error', 'Enter the base URL that the service gave you.')]
  }
  const url = URL.parse(text)
  if (!url) {
    return [
      note(
        'base_url.not_url',
        'error',
        'The base URL is not a complete URL. It must start with https://.',
        withHttps(text),
      ),
    ]
  }
  if (!isHttp(url)) {
    return [
      note(
        'base_url.not_http',
        'error',
        `The base URL starts with ${url.protocol}. It must start with https:// (or http:// on this machine).`,
        withHttps(text),
      ),
    ]
  }
  const notes: Note[] = []
  if (url.username || url.password) {
    notes.push(
      note(
        'base_url.credentials',
        'error',
        'The base URL contains a username or password, which would be sent and shown with every request. Remove it.',
        corrected(url, (copy) => {
          copy.username = ''
          copy.password = ''
        }),
      ),
    )
  }
  if (/[?#]/.test(text)) {
    notes.push(
      note(
        'base_url.query_or_fragment',
        'error',
        'The base URL has a query or a fragment. Remove it: paths are appended to the base URL.',
        corrected(url, (copy) => {
          copy.search = ''
          copy.hash = ''
        }),
      ),
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    notes.push(
      note(
        'base_url.http_not_loopback',
        'warning',
        'The access secret, code and token would be sent unencrypted. Use https:// unless the service is on this machine.',
        text.replace(/^http:/i, 'https:'),
      ),
    )
  }
  if (text.endsWith('/')) {
    notes.push(
      note(
        'base_url.trailing_slash',
        'ok',
        'The base URL ends with a slash. That is fine: /manager/oauth and /api/oauth/token are appended with a single slash.',
        text.replace(/(?<!\/)\/+$/, ''),
      ),
    )
  }
  return notes
}

function corrected(url: URL, change: (copy: URL) => void): string {
  const copy = new URL(url)
  change(copy)
  return copy.href.replace(/\/$/, '')
}

function accessIdNotes(text: string): Note[] {
  if (text === '') {
    return [
      note('access_id.missing', 'error', 'Enter the access ID (api_access_id) from the dashboard.'),
    ]
  }
  if (!/\s/.test(text)) return []
  return [
    note(
      'access_id.spaces',
      'warning',
      'The access ID contains spaces, probably from copying it.',
      text.replaceAll(/\s/g, ''),
    ),
  ]
}

function secretNotes({ accessSecret }: PreflightInput): Note[] {
  if (!accessSecret.set) {
    return [
      note(
        'access_secret.missing',
        'error',
        'Enter the access secret (api_access_secret) from the dashboard. It is encrypted before it is stored.',
      ),
    ]
  }
  if (accessSecret.whiteSpaceAtEnds) {
    return [
      note(
        'access_secret.white_space',
        'warning',
        'The access secret starts or ends with white space, probably from copying it. The service may respond with 401. Replace it, unless the dashboard shows it with white space.',
      ),
    ]
  }
  if (!accessSecret.unavailable) return []
  return [
    note(
      'access_secret.unavailable',
      'error',
      'The access secret was encrypted with a key that is no longer available. Enter it again.',
    ),
  ]
}
