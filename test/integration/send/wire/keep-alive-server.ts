import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface KeepAliveServer extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  readonly counts: readonly number[]
  readonly open: ReadonlySet<Socket>
}

/** Handles any number of requests without a body on each connection. `answer` gets the connection and the number of the request on it, from 1. */
export async function keepAliveServer(
  answer: (socket: Socket, count: number) => void,
  host = '127.0.0.1',
): Promise<KeepAliveServer> {
  const counts: number[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const index = counts.push(0) - 1
    let text = ''
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      while (text.includes('\r\n\r\n')) {
        text = text.slice(text.indexOf('\r\n\r\n') + 4)
        const count = (counts[index] ?? 0) + 1
        counts[index] = count
        answer(socket, count)
      }
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const { port } = address
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    counts,
    open,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
