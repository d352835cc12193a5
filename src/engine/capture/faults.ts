import type { Arrival } from '#contract/models.ts'
import { nowUs, type ReceivedRequest } from './received-request.ts'
import { hasBegun, type ConnectionState } from './connections.ts'
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

/** An error of Node's HTTP parser or of the socket, with the packet in which the parser stopped. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/**
 * The bytes in which the parser stopped, without a whole request that came in the same packet before them: as far as can be told,
 * which is when their first word is no method. Null when nothing came that could be kept.
 */
export function packetOf(
  error: ParserError,
  { socket, readAtEnd }: ConnectionState,
): Buffer | null {
  const { rawPacket, bytesParsed = 0 } = error
  if (!rawPacket || rawPacket.byteLength === 0) return null
  if (error.code !== 'HPE_INVALID_METHOD' || readAtEnd !== socket.bytesRead) return rawPacket
  const isLetter = (at: number): boolean => /[A-Z]/.test(String.fromCodePoint(rawPacket[at] ?? 0))
  let start = bytesParsed
  while (start > 0 && isLetter(start - 1)) start -= 1
  return rawPacket.subarray(start)
}

/** True when the error ended something that had begun. A connection that was idle leaves no record. */
export function endsRequest(error: ParserError, state: ConnectionState): boolean {
  switch (error.code) {
    case 'HPE_INVALID_EOF_STATE':
      return true
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return !isIdleTimeout(error, state)
    default:
      return error.rawPacket !== undefined || hasBegun(state)
  }
}

/** True when the time was over on a connection that has never said a word. */
export function isIdleTimeout(error: ParserError, { socket }: ConnectionState): boolean {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
}

/** How much had come of a head that never was whole, as a sentence. */
export function halfHead(state: ConnectionState): string {
  const bytes = state.socket.bytesRead - state.readAtEnd
  return bytes > 0 ? ` ${bytes} bytes had come, which is not a whole head.` : ''
}

/** The row of something that never became a request: what is known of it is its bytes. */
export function faultyRequest(
  { socket }: ConnectionState,
  packet: Buffer | null,
  { own, via }: Pick<ReceivedRequest, 'own' | 'via'>,
): Omit<ReceivedRequest, 'status' | 'answerer' | 'arrival' | 'reason'> {
  const first = packet ? packet.toString('latin1', 0, 2048).split('\r\n', 1)[0] : ''
  const line = /^([A-Z]{1,20}) (\S{1,2000}) HTTP\/(\d\.\d)$/.exec(first ?? '')
  return {
    receivedUs: nowUs(),
    method: line?.[1] ?? '',
    path: line?.[2] ?? '',
    httpVersion: line?.[3] ?? '',
    remoteAddress: socket.remoteAddress ?? '',
    rawHeaders: [],
    rawTrailers: [],
    body: packet ? packet.subarray(0, packetLimit) : Buffer.alloc(0),
    bytes: packet?.byteLength ?? 0,
    endpoint: null,
    own,
    via,
  }
}
