import { STATUS_CODES } from 'node:http'
import type { DeliveryItem } from '../../items.ts'
import { isoTime } from '../iso-time.ts'
import { deliveryUrl } from './addresses.ts'
import { pairsOf, postedBody, queryOf, versionOf } from './parts.ts'
import type { HarEntry } from './shape.ts'

/** A delivery as an entry: what came, and what we answered. */
export function deliveryEntry({ delivery }: DeliveryItem, target: string): HarEntry {
  const { fields, body, omitted, attempts } = delivery
  const { headers, ...more } = fields
  const { postData, bodyBase64 } = postedBody(body, headers)
  const wait = Math.max(fields.answeredIn ?? 0, 0)
  return {
    startedDateTime: isoTime(fields.receivedAt),
    time: wait,
    request: {
      method: fields.method,
      url: deliveryUrl(headers, fields.path, target),
      httpVersion: versionOf(fields.httpVersion),
      cookies: [],
      headers: pairsOf(headers),
      queryString: queryOf(fields.path),
      ...(postData && { postData }),
      headersSize: -1,
      bodySize: fields.bytes,
    },
    response: {
      status: fields.status ?? 0,
      statusText: STATUS_CODES[fields.status ?? 0] ?? '',
      httpVersion: versionOf(fields.httpVersion),
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive: 0 },
    ...(fields.note !== '' && { comment: fields.note }),
    _tabscope: {
      kind: 'delivery',
      fields: more,
      ...(bodyBase64 !== undefined && { bodyBase64 }),
      ...(omitted !== null && { omitted }),
      attempts: attempts.length,
    },
  }
}
