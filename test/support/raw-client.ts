import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

/** One answer as it came. Interim ones (100) count. */
export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A bare TCP connection to the listener: what HTTP clients would refuse to send can be sent. */
export interface RawClient extends AsyncDisposable {
  readonly socket: Socket
  /** Writes; resolves when the system has taken it, or the connection is gone. */
  send(bytes: string | Uint8Array): Promise<void>
  /** No more will be sent (FIN). */
  finish(): void
  /** Breaks the connection (RST). */
  reset(): void
  /** Waits for so many answers; returns all that came. */
  answers(count: number): Promise<Answer[]>
  /** Waits for the next one and only answer. */
  answer(): Promise<Answer>
  /** Resolves when the other side has ended or broken the connection. */
  closed(): Promise<void>
  readonly isClosed: boolean
}

export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('end', () => {
    isClosed = true
  })
  socket.on('close', () => {
    isClosed = true
  })
  // What a test sends is meant to break things; what came before is what it looks at.
  socket.on('error', () => undefined)
  await once(socket, 'connect')

  const answers = (count: number): Promise<Answer[]> =>
    until(`${count} answers`, () => {
      const found = parseAnswers(Buffer.concat(received))
      if (found.length >= count) return found
      if (isClosed) {
        throw new Error(`the connection ended after ${found.length} of ${count} answers`)
      }
      return null
    })
  return {
    socket,
    send: (bytes) =>
      new Promise((resolve) => {
        const done = (): void => {
          socket.off('close', done)
          resolve()
        }
        socket.once('close', done)
        socket.write(bytes, done)
      }),
    finish: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    answers,
    answer: async () => {
      const [first] = await answers(1)
      if (!first) throw new Error('no response')
      return first
    },
    closed: async () => void (await until('the end of the connection', () => isClosed)),
    get isClosed() {
      return isClosed
    },
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}

/** The whole answers in what was received; one that is not whole yet is left out. */
function parseAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let at = 0; at < bytes.byteLength;) {
    const head = bytes.indexOf('\r\n\r\n', at)
    if (head === -1) break
    const [line = '', ...fields] = bytes.toString('latin1', at, head).split('\r\n')
    const headers = new Map(
      fields.map((field): [string, string] => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
      }),
    )
    const length = Number(headers.get('content-length') ?? 0)
    const end = head + 4 + length
    if (end > bytes.byteLength) break
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? 0)
    answers.push({ status, headers, body: bytes.toString('utf8', head + 4, end) })
    at = end
  }
  return answers
}
