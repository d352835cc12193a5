import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Arrived } from './arrived.ts'

/** What we say beside a status that is not 200, so that whoever tries by hand knows what to do. */
const explanations: Readonly<Record<number, string>> = {
  400: 'This is not a request that HTTP/1.1 allows. Tabscope has recorded it.\n',
  404: 'No endpoint has this path. Tabscope has recorded the request under "no endpoint"; endpoints are at /hooks/<slug>.\n',
  408: 'The request took too long. Tabscope has recorded what came of it.\n',
  413: 'The body is larger than the limit in the settings. Tabscope has recorded its beginning.\n',
  417: 'Only "Expect: 100-continue" can be met. Tabscope has recorded the request.\n',
  431: 'The head is larger than 64 KiB. Tabscope has recorded that it came.\n',
  503: 'Tabscope could not keep this delivery. Send it again later.\n',
}

/** After an answer to what was no request, this long (ms) is listened on: a connection cut at once may take its answer with it. */
const lingerMs = 500

/** True when there is someone to answer, and a status to answer with. */
export function canAnswer({ status, answerer }: Arrived): boolean {
  if (status === null || answerer.kind === 'none') return false
  // Not `response.socket`: an answer has none while it waits for those before it.
  if (!answerer.connection.socket.writable) return false
  return answerer.kind === 'socket' || !answerer.response.destroyed
}

/** Answers one request. False when the sender was gone, so that nothing went out. */
export function answer(arrived: Arrived, status: number | null): boolean {
  const { answerer } = arrived
  if (status === null || answerer.kind === 'none') return false
  const { connection } = answerer
  connection.unanswered -= 1
  connection.idleSince = performance.now()
  // Not `response.socket`: an answer has none while it waits for those before it.
  if (!connection.socket.writable) return false
  const text = explanations[status] ?? ''
  switch (answerer.kind) {
    case 'response': {
      const { response } = answerer
      if (response.destroyed) return false
      // Only on the last one: HTTP closes the connection after it, whatever waits behind.
      const isLast = connection.closing && connection.unanswered === 0
      if (isLast || status === 417) response.setHeader('Connection', 'close')
      response.statusCode = status
      if (text !== '') response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      if (text === '') response.end()
      else response.end(text)
      return true
    }
    case 'socket': {
      const { newest } = connection
      const send = (): void => endWith(connection.socket, status, text)
      if (newest === null || newest.writableFinished) send()
      else newest.once('finish', send)
      return true
    }
  }
}

function endWith(socket: Socket, status: number, text: string): void {
  if (!socket.writable) return
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(linger))
}
