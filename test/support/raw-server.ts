import { createServer, type Socket } from 'node:net'
import { listenOnLoopback } from './listen.ts'

export interface RawServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly port: number
  /** Received data of each connection, as Latin-1. */
  readonly received: readonly string[]
  close(): Promise<void>
}

/** Starts a TCP server for invalid HTTP responses. `answer` is called once per connection, when the request head is received. */
export async function rawServer(
  answer: (socket: Socket, head: string) => void,
): Promise<RawServer> {
  const received: string[] = []
  const server = createServer((socket) => {
    const index = received.push('') - 1
    let answered = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const text = (received[index] ?? '') + chunk.toString('latin1')
      received[index] = text
      if (answered || !text.includes('\r\n\r\n')) return
      answered = true
      answer(socket, text)
    })
  })
  const listening = await listenOnLoopback(server)
  return { ...listening, origin: `http://127.0.0.1:${listening.port}`, received }
}
