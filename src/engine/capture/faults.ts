import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Arrival } from '#contract/models.ts'
import { nowUs, type Arrived } from './arrived.ts'
import type { CaptureLimits } from './limits.ts'

export interface Fault {
  readonly status: number
  readonly arrival: Arrival
  readonly reason: string
}

/** Of a packet that is not HTTP, this much is kept, in bytes. */
const packetLimit = 64 * 1024

/** What an error of the HTTP parser means, in words and as a status. */
export function faultOf(error: NodeJS.ErrnoException, limits: CaptureLimits): Fault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        arrival: 'malformed',
        reason: `The head is larger than ${limits.headBytes} bytes.`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        arrival: 'cut_off',
        reason: `The sender was too slow: ${limits.headMs / 1000} s for the head, ${limits.bodyMs / 1000} s for all.`,
      }
    case 'HPE_INVALID_EOF_STATE':
      return {
        status: 400,
        arrival: 'cut_off',
        reason: 'The sender ended the connection before the request was whole.',
      }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ETIMEDOUT':
      return {
        status: 400,
        arrival: 'cut_off',
        reason: 'The connection broke before the request was whole.',
      }
    default:
      return {
        status: 400,
        arrival: 'malformed',
        reason: `The parser stopped: ${error.message.replace(/^Parse Error: /, '')}.`,
      }
  }
}

/** The row of something that never became a request: what is known of it is its bytes. */
export function faultyRequest(
  socket: Duplex,
  packet: Buffer | null,
): Omit<Arrived, 'status' | 'answerer' | 'arrival' | 'reason'> {
  const first = packet ? packet.toString('latin1', 0, 2048).split('\r\n', 1)[0] : ''
  const line = /^([A-Z]{1,20}) (\S{1,2000}) HTTP\/(\d\.\d)$/.exec(first ?? '')
  return {
    receivedUs: nowUs(),
    method: line?.[1] ?? '',
    path: line?.[2] ?? '',
    httpVersion: line?.[3] ?? '',
    remoteAddress: socket instanceof Socket ? (socket.remoteAddress ?? '') : '',
    rawHeaders: [],
    rawTrailers: [],
    body: packet ? packet.subarray(0, packetLimit) : Buffer.alloc(0),
    bytes: packet?.byteLength ?? 0,
    endpoint: null,
  }
}
