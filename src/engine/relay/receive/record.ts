import { randomUUID } from 'node:crypto'
import type { ReceivedRequest } from '../../capture/received-request.ts'
import { recordFormat, type RecordHead } from '../format.ts'

/**
 * A UUIDv7 of a time in microseconds since the epoch (RFC 9562, section 5.7). The fraction of a millisecond is in `rand_a` (section 6.2, method 3), so that
 * IDs of one receiver sort as its requests began.
 */
export function uuidV7(us: number): string {
  const ms = Math.floor(us / 1000)
    .toString(16)
    .padStart(12, '0')
  const fraction = Math.floor(((us % 1000) * 4096) / 1000)
    .toString(16)
    .padStart(3, '0')
  // The end of a UUIDv4: the variant and 62 random bits.
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${fraction}-${randomUUID().slice(19)}`
}

/** `status`: of the response. */
export function recordHead(
  received: ReceivedRequest,
  id: string,
  receiver: string,
  status: number | null,
): RecordHead {
  return {
    format: recordFormat,
    id,
    receivedUs: received.receivedUs,
    receiver,
    method: received.method,
    path: received.path,
    httpVersion: received.httpVersion,
    rawHeaders: received.rawHeaders,
    rawTrailers: received.rawTrailers,
    remoteAddress: received.remoteAddress,
    arrival: received.arrival,
    reason: received.reason,
    bytes: received.bytes,
    status,
    nearPath: received.nearPath ?? null,
    protocol: received.protocol ?? null,
    via: null,
    bodyBytes: received.body.byteLength,
    parts: null,
  }
}
