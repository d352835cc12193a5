import type { Timings } from '#contract/http.ts'
import type { AttemptAnswer } from '#contract/sending.ts'
import type { ExportedAttempt } from '../../items.ts'
import { isoTime } from '../iso-time.ts'
import { attemptUrl, ipAddress } from './addresses.ts'
import { contentOf, pairsOf, postedBody, queryOf, valueOf, versionOf } from './parts.ts'
import type { HarEntry, HarTimings } from './shape.ts'

/** An attempt as an entry: what we sent, and what was answered. `deliveryId`: the delivery that it belongs to. */
export function attemptEntry(
  { fields, requestBody, answerBody }: ExportedAttempt,
  deliveryId: number,
): HarEntry {
  const { request, answer, ...more } = fields
  const { headers, ...moreOfRequest } = request
  const { postData, bodyBase64 } = postedBody(requestBody ?? new Uint8Array(), headers)
  const timings = timingsOf(fields.timings, fields.took)
  const serverIPAddress = ipAddress(fields.remoteAddress)
  const answered = answer?.headers ?? []
  return {
    startedDateTime: isoTime(fields.at),
    time: sumOf(timings),
    request: {
      method: fields.method,
      url: attemptUrl(fields.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(headers),
      queryString: queryOf(request.target),
      ...(postData && { postData }),
      headersSize: -1,
      bodySize: fields.requestBytes,
    },
    response: {
      status: answer?.status ?? 0,
      statusText: answer?.statusText ?? '',
      httpVersion: answer ? versionOf(answer.httpVersion) : '',
      cookies: [],
      headers: pairsOf(answered),
      content: contentOf(answerBody, answered, fields.answerBytes),
      redirectURL: valueOf(answered, 'location'),
      headersSize: -1,
      bodySize: answer ? fields.answerBytes : -1,
    },
    cache: {},
    timings,
    ...(serverIPAddress !== undefined && { serverIPAddress }),
    comment: fields.error ? `Sent by Tabscope. ${fields.error.message}` : 'Sent by Tabscope.',
    _tabscope: {
      kind: 'attempt',
      deliveryId,
      fields: { ...more, request: moreOfRequest, answer: answer && withoutHeaders(answer) },
      bodyAsCaptured: requestBody === null,
      ...(bodyBase64 !== undefined && { bodyBase64 }),
      answerBodyKept: answerBody !== null,
    },
  }
}

function withoutHeaders({
  headers: _headers,
  ...more
}: AttemptAnswer): Omit<AttemptAnswer, 'headers'> {
  return more
}

/** In HAR the time of TLS is part of the time of connecting, and told beside. */
function timingsOf(timings: Timings | null, took: number): HarTimings {
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0 }
  if (!timings) return { ...none, wait: Math.max(took, 0), receive: 0 }
  const { dns, connect, tls, firstByte, total } = timings
  const wait = firstByte ?? 0
  const before = (dns ?? 0) + (connect ?? 0) + (tls ?? 0) + wait
  return {
    ...none,
    dns: dns ?? -1,
    connect: connect === null ? -1 : connect + (tls ?? 0),
    ssl: tls ?? -1,
    wait,
    receive: Math.max(total - before, 0),
  }
}

/** `time` is the sum of all that is not -1; TLS is in the time of connecting (HAR 1.2, "timings"). */
function sumOf({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  return [blocked, dns, connect, send, wait, receive].reduce(
    (sum, part) => sum + Math.max(part, 0),
    0,
  )
}
