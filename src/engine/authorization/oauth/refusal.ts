import type { RunFailureCode } from '#contract/authorization.ts'
import { isObject } from '#shared/json/object.ts'
import { quoteForeign } from '#shared/text/format.ts'
import type { HttpResponse } from '../../platform/http/http.ts'
import { retryAfterOf } from '../../platform/http/retry-after.ts'

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

/** Whether a body reports an error by the names of its fields, whatever its status. */
export function reportsError(fields: Record<string, unknown>): boolean {
  return ['error', 'errors'].some((name) => {
    const value = fields[name]
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

export interface RefusedResponse extends Pick<HttpResponse, 'status' | 'headers'> {
  readonly error: ServiceError | null
  /** As part of a sentence; null if the body is not a web page. */
  readonly page: string | null
}

const rateLimitCodes = new Set([
  'slow_down',
  'rate_limited',
  'rate_limit',
  'rate_limit_exceeded',
  'too_many_requests',
])

const wrongSecret = 'The access ID or the access secret is probably wrong.'
const noEndpoint = 'There is probably no token endpoint at this address: check the base URL.'
const overloaded = 'The service may be overloaded or in maintenance.'

/** By error code (RFC 6749, section 5.2), else by status. The API documentation describes no error responses ("Errors"). */
const hints: Readonly<Record<string, string>> = {
  invalid_grant:
    'The code or refresh token has expired, was already used, or belongs to another integration or redirect URL.',
  invalid_client: wrongSecret,
  401: wrongSecret,
  403: 'The integration may not be active, or a firewall may block this computer.',
  404: noEndpoint,
  405: noEndpoint,
  410: noEndpoint,
  502: overloaded,
  503: overloaded,
  504: overloaded,
}

/** Explains a response that is not a success by its status and its error code. `now`: milliseconds since the epoch. */
export function explainRefusal(
  response: RefusedResponse,
  now: number,
): { failure: RunFailureCode; message: string } {
  const { status, error, page } = response
  const code = error?.code?.toLowerCase() ?? ''
  const wait = retryAfterOf(response, now)
  const hint = hints[code] ?? hints[status]
  const more = [
    wait && `It asks to wait: ${wait.words}.`,
    page &&
      `The body is ${page}, so a proxy or firewall in front of the service may have responded.`,
    hint,
  ].filter((text) => typeof text === 'string')
  const said = [error ? `: ${saidBy(error)}` : '.', ...more].join(' ')
  if (status === 429 || rateLimitCodes.has(code)) {
    return {
      failure: 'token_rate_limited',
      message: `The token endpoint refused the request with ${status}, too many requests${said}`,
    }
  }
  if (status >= 500) {
    return {
      failure: 'token_server_error',
      message: `The token endpoint failed with ${status}${said}`,
    }
  }
  return {
    failure: 'token_refused',
    message:
      status < 400
        ? `The token endpoint responded with ${status}, but with an error in place of a token${said}`
        : `The token endpoint refused the request with ${status}${said}`,
  }
}

function saidBy({ code, description }: ServiceError): string {
  const isKnown = code === null || Object.hasOwn(hints, code) || rateLimitCodes.has(code)
  const named = isKnown ? code : quoteForeign(code)
  if (description === null) return `${named}.`
  const quoted = quoteForeign(description)
  return named === null ? `${quoted}.` : `${named} (${quoted}).`
}
