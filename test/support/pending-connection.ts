import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ConnectionState } from '#engine/receiving/listener/connections.ts'
import type { HttpResponseChannel } from '#engine/receiving/listener/received-request.ts'

/** Creates the state of a connection with one request that waits for its response. */
export function pendingConnection(socket: Socket): ConnectionState {
  return {
    socket,
    reader: null,
    draining: false,
    unanswered: 1,
    waiting: 0,
    dropping: false,
    newest: null,
    closing: false,
    faulted: false,
    idleSince: 0,
    readAtEnd: 0,
  }
}

export function pendingChannel(): HttpResponseChannel {
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  return { kind: 'response', response, before: null, connection: pendingConnection(socket) }
}
