import { once } from 'node:events'
import type { Server, Socket } from 'node:net'

export interface OnLoopback extends AsyncDisposable {
  readonly port: number
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>
  /** Also ends all connections. */
  readonly close: () => Promise<void>
}

/** Lets the server listen on loopback, by default at a free port. */
export async function listenOnLoopback(
  server: Server,
  port = 0,
  host = '127.0.0.1',
): Promise<OnLoopback> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  return { port: address.port, sockets, close, [Symbol.asyncDispose]: close }
}
