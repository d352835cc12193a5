import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

const channel = 'net.client.socket'

/** Collects the sockets that this thread makes, from now until it is asked for them. */
export function collectSockets(): () => Socket[] {
  const made: Socket[] = []
  const note = (message: unknown): void => {
    if (typeof message !== 'object' || !message || !('socket' in message)) return
    if (message.socket instanceof Socket) made.push(message.socket)
  }
  subscribe(channel, note)
  return () => {
    unsubscribe(channel, note)
    return made
  }
}
