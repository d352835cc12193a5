import type { Socket } from 'node:net'

/** An open connection to the server, as far as it shows what it does. */
export interface Followed {
  readonly socket: Socket
  /** When it was opened, on `performance.now()`. */
  readonly since: number
  /** Whether a request has come over it. */
  carried: boolean
  /** What had been sent when the last of a request came; null: nothing has come. */
  sentBefore: number | null
  /** Whether our end was closed before the server's, because the local one was. */
  endedHere: boolean
}

/** In milliseconds. A server that goes away without a word, and a router that forgets what is idle, are known by it. */
const keepAliveMs = 15_000
/** Our end is closed: the server has so many milliseconds to take the rest and close its own. */
const closingMs = 10_000

export function follow(socket: Socket): Followed {
  const followed: Followed = {
    socket,
    since: performance.now(),
    carried: false,
    sentBefore: null,
    endedHere: false,
  }
  socket.setKeepAlive(true, keepAliveMs)
  socket.on('data', () => {
    followed.carried = true
    followed.sentBefore = socket.bytesWritten
  })
  // After a local error the client ends it and leaves it paused: what lies unread would keep it open for ever.
  socket.once('finish', () => {
    followed.endedHere = !socket.readableEnded && !socket.errored
    const drain = (): void => void socket.resume()
    socket.on('pause', () => setImmediate(drain))
    drain()
    const limit = setTimeout(() => socket.destroy(), closingMs)
    socket.once('close', () => clearTimeout(limit))
  })
  return followed
}

/** Whether an answer is awaited or on its way. */
export function busy({ socket, sentBefore }: Followed): boolean {
  if (socket.destroyed || socket.writableEnded) return false
  return socket.writableLength > 0 || (sentBefore !== null && socket.bytesWritten === sentBefore)
}
