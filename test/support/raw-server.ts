import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

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
  const sockets = new Set<Socket>()
  const received: string[] = []
  const server = createServer((socket) => {
    const index = received.push('') - 1
    let answered = false
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const text = (received[index] ?? '') + chunk.toString('latin1')
      received[index] = text
      if (answered || !text.includes('\r\n\r\n')) return
      answered = true
      answer(socket, text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const { port } = address
  return { origin: `http://127.0.0.1:${port}`, port, received, close, [Symbol.asyncDispose]: close }
}
