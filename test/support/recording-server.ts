import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'

export interface ReceivedRequest {
  readonly method: string
  readonly target: string
  readonly body: Buffer
}

export interface RecordingServer extends AsyncDisposable {
  readonly port: number
  readonly received: readonly ReceivedRequest[]
}

/** Starts a server on loopback that records requests, and responds with 200 and these bytes. */
export async function recordingServer(answer: Uint8Array): Promise<RecordingServer> {
  const received: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      received.push({
        method: incoming.method ?? '',
        target: incoming.url ?? '',
        body: Buffer.concat(parts),
      })
      response.writeHead(200, { 'Content-Length': answer.byteLength }).end(answer)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    port: address.port,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
