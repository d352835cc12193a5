import { titleOf } from '#catalogue/catalogue.ts'
import type { KnownCode } from '#catalogue/findings.ts'
import type { ParsedBody } from './parse-body.ts'

const titles: Partial<Record<KnownCode, string>> = {
  'request.tls': 'TLS connection, not HTTP',
  'request.http2': 'HTTP/2 connection, not HTTP/1.1',
  'request.proxy_protocol': 'PROXY protocol, not HTTP',
  'body.encoded': 'Body is compressed',
}

/** Pure. `findings`: of the same delivery. */
export function titleOfDelivery(parsed: ParsedBody, findings: readonly { code: string }[]): string {
  if (parsed.kind === 'object') return titleOfBody(parsed)
  const [, title] =
    Object.entries(titles).find(([code]) => findings.some((finding) => finding.code === code)) ?? []
  return title ?? titleOfBody(parsed)
}

/** Pure. */
export function titleOfBody(parsed: ParsedBody): string {
  switch (parsed.kind) {
    case 'object':
      return titleOf(parsed.payload)
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
