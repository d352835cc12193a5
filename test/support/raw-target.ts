import { createServer, type Socket } from 'node:net'
import { listenOnLoopback, type OnLoopback } from './listen.ts'

export interface ReceivedRequest {
  readonly bytes: Buffer
  /** Request line and headers as Latin-1, one per line. */
  readonly head: readonly string[]
  /** The body as sent, including chunk framing. */
  readonly body: Buffer
}

/** The response bytes; null: no response, and the connection stays open. `end`: the connection is closed after the response. */
type Answer = string | Buffer | null | { readonly end: string | Buffer }

export interface RawTarget extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly port: number
  /** In order of completion. */
  readonly received: readonly ReceivedRequest[]
  readonly mostConnections: number
  answer: (request: ReceivedRequest, index: number) => Answer | Promise<Answer>
  /** Stops listening and resets connections. */
  down(): Promise<void>
  /** Listens again on the same port. */
  up(): Promise<void>
}

export function reply(status: number, body = '', headers: readonly string[] = []): string {
  const lines = [
    `HTTP/1.1 ${status} Said`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Starts a TCP server that records all bytes of each request. Default response: 200. */
export async function rawTarget(
  answer: RawTarget['answer'] = () => reply(200),
): Promise<RawTarget> {
  const received: ReceivedRequest[] = []
  let mostConnections = 0
  let listening: OnLoopback | null = null
  let port = 0

  const listen = async (): Promise<void> => {
    let open = 0
    const server = createServer((socket) => {
      open += 1
      mostConnections = Math.max(mostConnections, open)
      socket.on('close', () => (open -= 1))
      socket.on('error', () => undefined)
      let pending = Buffer.alloc(0)
      socket.on('data', (chunk) => {
        pending = Buffer.concat([pending, chunk])
        for (
          let length = requestLength(pending);
          length !== null;
          length = requestLength(pending)
        ) {
          const request = parsed(pending.subarray(0, length))
          pending = pending.subarray(length)
          void give(socket, request, received.push(request) - 1)
        }
      })
    })
    listening = await listenOnLoopback(server, port)
    port = listening.port
  }
  const give = async (socket: Socket, request: ReceivedRequest, index: number): Promise<void> => {
    const answer = await target.answer(request, index)
    if (answer === null) return
    if (typeof answer === 'string' || Buffer.isBuffer(answer)) socket.write(answer)
    else socket.end(answer.end)
  }
  const down = async (): Promise<void> => listening?.close()
  await listen()
  const target: RawTarget = {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    get mostConnections() {
      return mostConnections
    },
    answer,
    down,
    up: listen,
    [Symbol.asyncDispose]: down,
  }
  return target
}

/** Returns the length of the first request in bytes; null: incomplete. */
function requestLength(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end)
  if (/^transfer-encoding:\s*chunked/im.test(head)) {
    const last = bytes.indexOf('\r\n\r\n', end + 4)
    return bytes.indexOf('0\r\n', end + 4) === -1 || last === -1 ? null : last + 4
  }
  const length = Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0)
  return bytes.byteLength < end + 4 + length ? null : end + 4 + length
}

function parsed(bytes: Buffer): ReceivedRequest {
  const end = bytes.indexOf('\r\n\r\n')
  return {
    bytes: Buffer.from(bytes),
    head: bytes.toString('latin1', 0, end).split('\r\n'),
    body: Buffer.from(bytes.subarray(end + 4)),
  }
}
