import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

/** A received response, including interim responses (100). */
export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A raw TCP connection to the listener, for requests that HTTP clients refuse to send. */
export interface RawClient extends AsyncDisposable {
  readonly socket: Socket
  /** Writes data. Resolves when it is written or the connection is closed. */
  send(bytes: string | Uint8Array): Promise<void>
  /** Ends the sending side (FIN). */
  finish(): void
  /** Resets the connection (RST). */
  reset(): void
  answers(count: number): Promise<Answer[]>
  answer(): Promise<Answer>
  /** Resolves when the other side has ended or reset the connection. */
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
  // Connection errors are intended by tests, which check the data received before.
  socket.on('error', () => undefined)
  await once(socket, 'connect')

  const answers = (count: number): Promise<Answer[]> =>
    until(`${count} answers`, () => {
      const found = parseAnswers(Buffer.concat(received))
      if (found.length >= count) return found
      if (isClosed)
        throw new Error(`the connection ended after ${found.length} of ${count} answers`)
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

/** The response to one request on a connection of its own. */
export async function ask(port: number, bytes: string | Uint8Array): Promise<Answer> {
  await using client = await rawClient(port)
  await client.send(bytes)
  return await client.answer()
}

/** Parses the complete responses in the received data. Ignores an incomplete response at the end. */
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
