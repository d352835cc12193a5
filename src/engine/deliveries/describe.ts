import { titleOf } from '#catalogue/catalogue.ts'
import type { KnownCode } from '#catalogue/findings.ts'
import { exactNumber, type Payload } from '#catalogue/payload.ts'
import { isObject } from '#shared/json/object.ts'
import type { ParsedBody, ParsedObject } from '../capture/parse-text.ts'

/** Titles of deliveries whose body cannot be described. */
const titles: Partial<Record<KnownCode, string>> = {
  'request.tls': 'TLS connection, not HTTP',
  'request.http2': 'HTTP/2 connection, not HTTP/1.1',
  'request.proxy_protocol': 'PROXY protocol, not HTTP',
  'body.encoded': 'Body is compressed',
}

/** Pure. `findings`: of the same delivery. */
export function titleOfDelivery(
  parsed: ParsedBody,
  findings: readonly { readonly code: string }[],
): string {
  if (parsed.kind === 'object') return titleOfBody(parsed)
  const [, title] =
    Object.entries(titles).find(([code]) => findings.some((finding) => finding.code === code)) ?? []
  return title ?? titleOfBody(parsed)
}

/** Pure. */
export function titleOfBody(parsed: ParsedBody): string {
  switch (parsed.kind) {
    case 'object':
      return titleOf(hasLargeNumber(parsed.payload.data) ? exactPayload(parsed) : parsed.payload)
    case 'empty':
      return 'No body'
    case 'not_utf8':
      return 'Body is not UTF-8'
    case 'not_json':
      return 'Body is not JSON'
    case 'not_object':
      return 'Body is JSON, but not an object'
  }
}

/** Titles round to two decimals, so that only numbers above 2^53 can be wrong. */
function hasLargeNumber(data: unknown): boolean {
  return (
    isObject(data) &&
    Object.values(data).some(
      (value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER,
    )
  )
}

/** Parses again, since this takes longer and is rarely necessary. */
function exactPayload({ text }: ParsedObject): Payload {
  const payload: unknown = JSON.parse(
    text,
    (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? exactNumber(value, context?.source ?? String(value)) : value,
  )
  return isObject(payload) ? payload : {}
}
