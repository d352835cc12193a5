import { createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '#test/support/listen.ts'

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
  const server = createServer((socket) => {
    const index = counts.push(0) - 1
    let text = ''
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
  const listening = await listenOnLoopback(server, 0, host)
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`
  return { ...listening, origin, counts, open: listening.sockets }
}
