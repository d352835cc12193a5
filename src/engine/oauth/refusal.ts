import type { Run, RunFailureCode } from '#contract/authorization.ts'
import { isObject } from '#shared/json/object.ts'
import { formatDuration } from '#shared/text/format.ts'
import type { HttpResponse } from '../platform/http/http.ts'
import type { Explanation } from './failures.ts'

/** An error that the service reports in a body. Both are quoted: masked, on one line, and shortened. */
export interface ServiceError {
  readonly code: string | null
  readonly description: string | null
}

/** Masks the secrets of a run in a text of the service. */
export type Mask = (text: string) => string

const maxCode = 80
const maxDescription = 300

/** Masked before it is shortened, since the masker does not recognize a secret that is cut off. */
export function quote(text: string, mask: Mask, maxLength = maxDescription): string {
  // More is not shown, and masking a megabyte takes long.
  const masked = mask(text.slice(0, 64 * 1024))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return masked.length <= maxLength ? masked : `${masked.slice(0, maxLength)}…`
}

/**
 * Reads the error of a body in JSON or a form: `error` and `error_description` (RFC 6749, section 5.2), an `error` that is an object, the first of
 * `errors`, or `message`, `detail` and `title`, which many services use. Null if the body names none.
 */
export function readServiceError(text: string, mask: Mask): ServiceError | null {
  const fields = fieldsOf(text)
  if (!fields) return null
  const list: unknown = fields['errors']
  const named: unknown = fields['error'] ?? (Array.isArray(list) ? list[0] : undefined)
  const inner = isObject(named) ? named : {}
  const code = firstText(named, inner['code'], inner['type'], fields['code'], fields['error_code'])
  const description = firstText(
    fields['error_description'],
    inner['error_description'],
    inner['message'],
    inner['description'],
    fields['message'],
    fields['detail'],
    fields['title'],
  )
  if (code === null && description === null) return null
  return {
    code: code === null ? null : quote(code, mask, maxCode),
    description: description === null ? null : quote(description, mask),
  }
}

/** For an error status: a body that is neither JSON, a form nor a web page, as its description. Null if it is empty or not text. */
export function readPlainError(text: string, mask: Mask): ServiceError | null {
  const isPlain = text !== '' && !/^[{[<]/.test(text) && !/[\0\ufffd]/.test(text)
  return isPlain ? { code: null, description: quote(text, mask) } : null
}

/** Whether a body reports an error by the names of its fields, whatever its status. */
export function reportsError(fields: ReadonlyMap<string, unknown>): boolean {
  return ['error', 'errors'].some((name) => {
    const value = fields.get(name)
    return Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
}

function fieldsOf(text: string): Record<string, unknown> | null {
  if (/^error(?:_description|_uri)?=/.test(text))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value === 'string' && value.trim() !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return null
}

export interface Refusal {
  readonly failure: RunFailureCode
  readonly message: string
  /** Null: that of the failure code. */
  readonly explained: Explanation | null
}

/** `pageTitle`: quoted; null if the body is not a web page. */
export interface RefusedResponse extends Pick<HttpResponse, 'status' | 'headers'> {
  readonly error: ServiceError | null
  readonly pageTitle: string | null
}

const assumed =
  'The API documentation does not describe error responses ("Errors"), so this follows from the status and the error code.'

/** Explains a response that is not a success by its status and its error code. `now`: milliseconds since the epoch. */
export function explainRefusal(
  response: RefusedResponse,
  { now, kind }: { readonly now: number; readonly kind: Run['kind'] },
): Refusal {
  const { status, error, pageTitle } = response
  const code = error?.code?.toLowerCase() ?? ''
  const wait = retryAfterOf(response, now)
  const pause = wait?.ms ? formatDuration(wait.ms) : 'a few minutes'
  const again = kind === 'refresh' ? 'refresh again' : 'authorize again'
  const said = `${error ? `: ${saidBy(error)}` : '.'}${wait ? ` It asks to wait: ${wait.words}.` : ''}${
    pageTitle === null
      ? ''
      : ` The body is ${describePage(pageTitle)}, so a proxy or firewall in front of the service may have responded.`
  }`
  if (status === 429 || rateLimitCodes.has(code)) {
    return {
      failure: 'token_rate_limited',
      message: `The token endpoint refused the request with ${status}, too many requests${said}`,
      explained: {
        meaning: `The service, or a proxy in front of it, limits requests. ${assumed}`,
        remedy: `Wait ${pause}, then ${again}. Check what else sends requests with this access ID or from this network.`,
      },
    }
  }
  if (status >= 500) {
    const explained = {
      meaning: `The service is overloaded or in maintenance, or the proxy in front of it cannot reach it. ${assumed}`,
      remedy: `Wait ${pause}, then ${again}.`,
    }
    return {
      failure: 'token_server_error',
      message: `The token endpoint failed with ${status}${said}`,
      explained: [502, 503, 504].includes(status) ? explained : null,
    }
  }
  const explained = explanationOf(status, code, kind)
  return {
    failure: 'token_refused',
    message:
      status < 400
        ? `The token endpoint responded with ${status}, but with an error in place of a token${said}`
        : `The token endpoint refused the request with ${status}${said}`,
    explained: explained && { ...explained, meaning: `${explained.meaning} ${assumed}` },
  }
}

/** As part of a sentence. `title`: quoted; empty if there is none. */
export function describePage(title: string): string {
  return title === '' ? 'a web page' : `a web page, “${title}”`
}

const rateLimitCodes = new Set([
  'slow_down',
  'rate_limited',
  'rate_limit',
  'rate_limit_exceeded',
  'too_many_requests',
])

function saidBy({ code, description }: ServiceError): string {
  if (description === null) return `${code}.`
  return code === null ? `“${description}”.` : `${code} (“${description}”).`
}

/** `Retry-After` (RFC 9110, section 10.2.3) as part of a sentence, and in milliseconds from now, null if it is invalid. Null without the header. */
export function retryAfterOf(
  { headers }: Pick<HttpResponse, 'headers'>,
  now: number,
): { readonly words: string; readonly ms: number | null } | null {
  const header = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1].trim()
  const written = header('retry-after')
  if (written === undefined || written === '') return null
  const from = Date.parse(header('date') ?? '')
  // A date is compared with the clock of the service.
  const ms = /^\d{1,8}$/.test(written)
    ? Number(written) * 1000
    : Date.parse(written) - (Number.isNaN(from) ? now : from)
  const named = `Retry-After: ${written.slice(0, 60)}`
  return Number.isNaN(ms)
    ? { words: named, ms: null }
    : { words: `${formatDuration(Math.max(0, ms))} (${named})`, ms: Math.max(0, ms) }
}

/** By the error code (RFC 6749, section 5.2), or by the status if the code says nothing more. Null: neither does. */
function explanationOf(status: number, code: string, kind: Run['kind']): Explanation | null {
  const isRefresh = kind === 'refresh'
  if (code === 'invalid_grant') {
    return isRefresh
      ? {
          meaning:
            'The refresh token was revoked, has expired, or belongs to another integration (invalid_grant: RFC 6749, section 5.2).',
          remedy: 'Authorize again. The old token is unchanged.',
        }
      : {
          meaning:
            'The code has expired, was already used, or was issued to another integration or for another redirect URL (invalid_grant: RFC 6749, section 5.2).',
          remedy:
            'Authorize again, since the code cannot be used again. If it happens again, check that the access ID, the access secret and the redirect URL belong to the same integration.',
        }
  }
  if (code === 'invalid_client' || status === 401) {
    return {
      meaning:
        'The access ID or the access secret is wrong, or they belong to different integrations.',
      remedy: `Compare the access ID with the dashboard, and enter the access secret again. Then ${
        isRefresh ? 'refresh again' : 'authorize again: the code cannot be used again'
      }.`,
    }
  }
  switch (status) {
    case 403:
      return {
        meaning:
          'The service forbids the request: the access ID or access secret is wrong, the integration is not active, or a firewall blocks this computer.',
        remedy:
          'Compare the integration with the dashboard. If they agree, ask the service whether it blocks requests from your address.',
      }
    case 404:
    case 405:
    case 410:
      return {
        meaning: 'There is no token endpoint at this address.',
        remedy: isRefresh
          ? 'Check the base URL, and the method and path of the refresh template.'
          : 'Check the base URL: the token endpoint is {base_url}/api/oauth/token, without anything in between.',
      }
    default:
      return null
  }
}
