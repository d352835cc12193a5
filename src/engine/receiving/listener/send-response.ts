import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpResponseChannel, ReceivedRequest, ResponseChannel } from './received-request.ts'
import type { OtherProtocol } from '../../payload/inspect.ts'
import type { ConnectionState } from './connections.ts'
import { hasContentLength, type PreparedResponse } from './respond/rules.ts'

const explanations: Readonly<Record<number, string>> = {
  400: 'This is not a valid HTTP/1.1 request. Tabscope recorded it.\n',
  404: 'No endpoint has this path. Tabscope recorded the request under "no endpoint". Endpoints are at /hooks/<path>.\n',
  408: 'The request took too long. Tabscope recorded what it received.\n',
  413: 'The body is larger than the limit in the settings. Tabscope recorded the start of it.\n',
  417: 'Only "Expect: 100-continue" is supported. Tabscope recorded the request.\n',
  431: 'The request head is larger than 64 KiB. Tabscope recorded the attempt.\n',
  503: 'Tabscope could not store this delivery. Send it again later.\n',
}

const protocolExplanations: Readonly<Record<OtherProtocol, string>> = {
  tls: 'This port is for plain HTTP, not TLS. Use http:// instead of https://. Tabscope recorded the connection.\n',
  http2:
    'This port is for HTTP/1.1, not HTTP/2. Let the sender use HTTP/1.1. Tabscope recorded the connection.\n',
  proxy_protocol:
    'This port is for plain HTTP. Turn off the PROXY protocol in the proxy or load balancer. Tabscope recorded the connection.\n',
}

/** The text of the response if it can say more than its status. */
export function explanationOf({
  status,
  protocol,
  nearPath,
}: Pick<ReceivedRequest, 'status' | 'protocol' | 'nearPath'>): string | undefined {
  if (protocol) return protocolExplanations[protocol]
  if (status !== 404 || !nearPath) return undefined
  return `No endpoint has this path. Did you mean ${nearPath}? The path must be the same in every character. Tabscope recorded the request under "no endpoint".\n`
}

/** How long to keep reading after the response to an invalid request: closing immediately could discard the response in transit. */
const lingerMs = 500

export function canRespond({
  status,
  channel,
}: Pick<ReceivedRequest, 'status' | 'channel'>): boolean {
  return status !== null && isWritable(channel)
}

/** Sends the status with a text that explains it. Returns false if the connection is closed. */
export function sendStatus(
  channel: ResponseChannel,
  status: number | null,
  explanation?: string,
): boolean {
  if (status === null || channel.kind === 'none') return false
  const text = explanation ?? explanations[status] ?? ''
  switch (channel.kind) {
    case 'response': {
      const isLast = finishResponse(channel)
      if (!isWritable(channel)) return false
      const { response } = channel
      if (isLast || status === 417) response.setHeader('Connection', 'close')
      response.statusCode = status
      if (text !== '') response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      if (text === '') response.end()
      else response.end(text)
      return true
    }
    case 'socket': {
      const { connection } = channel
      const { newest, socket } = connection
      const isWritableNow = isWritable(channel)
      // Decrement only after it is sent: an earlier response that sees itself as the last one would close the connection.
      const send = (): void => {
        markResponded(connection)
        sendRaw(socket, status, text)
      }
      if (newest === null || newest.writableFinished) send()
      else newest.once('finish', send)
      return isWritableNow
    }
  }
}

/** Returns false if the connection is closed. */
export function sendPrepared(channel: HttpResponseChannel, prepared: PreparedResponse): boolean {
  const isLast = finishResponse(channel)
  if (!isWritable(channel)) return false
  const { response } = channel
  const headers = [...prepared.rawHeaders]
  if (hasContentLength(prepared)) headers.push('Content-Length', String(prepared.body.byteLength))
  if (isLast) headers.push('Connection', 'close')
  response.writeHead(prepared.status, headers)
  response.end(prepared.body)
  return true
}

/** Closes the connection after earlier responses on it are sent. Returns false if it is already closed. */
export function dropConnection(channel: HttpResponseChannel): boolean {
  const { connection, before } = channel
  markResponded(connection)
  if (!isWritable(channel)) return false
  const cut = (): void => {
    connection.reader?.cutOff('Tabscope dropped the connection because of a response rule.', null)
    connection.socket.destroy()
  }
  if (before === null || before.writableFinished) cut()
  else before.once('finish', cut)
  return true
}

function isWritable(channel: ResponseChannel): boolean {
  // Not `response.socket`: a response has no socket while it waits for earlier responses.
  if (channel.kind === 'none' || !channel.connection.socket.writable) return false
  return channel.kind === 'socket' || !channel.response.destroyed
}

function markResponded(connection: ConnectionState): void {
  connection.unanswered -= 1
  connection.idleSince = performance.now()
}

/** Returns whether this response must close the connection, which only the last one may do. */
function finishResponse({ connection, response }: HttpResponseChannel): boolean {
  markResponded(connection)
  if (!connection.closing || connection.unanswered > 0) return false
  const { newest, socket } = connection
  if (newest === response || newest === null) return true
  // This response is late. Later ones are already prepared and must be sent before the connection is closed.
  newest.once('finish', () => {
    if (connection.unanswered === 0 && connection.newest === newest) socket.destroySoon()
  })
  return false
}

function sendRaw(socket: Socket, status: number, text: string): void {
  if (!socket.writable) return
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(linger))
}
