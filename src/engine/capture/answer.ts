import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Answerer, ReceivedRequest, ResponseAnswerer } from './received-request.ts'
import type { ConnectionState } from './connections.ts'
import { saysLength, type ReadyAnswer } from './respond/rules.ts'

/** What we say beside a status that is not 200, so that whoever tries by hand knows what to do. */
const explanations: Readonly<Record<number, string>> = {
  400: 'This is not a request that HTTP/1.1 allows. Tabscope has recorded it.\n',
  404: 'No endpoint has this path. Tabscope has recorded the request under "no endpoint"; endpoints are at /hooks/<slug>.\n',
  408: 'The request took too long. Tabscope recorded what it received.\n',
  413: 'The body is larger than the limit in the settings. Tabscope has recorded its beginning.\n',
  417: 'Only "Expect: 100-continue" can be met. Tabscope has recorded the request.\n',
  431: 'The request head is larger than 64 KiB. Tabscope recorded the attempt.\n',
  503: 'Tabscope could not keep this delivery. Send it again later.\n',
}

/** After an answer to what was no request, this long (ms) is listened on: a connection cut at once may take its answer with it. */
const lingerMs = 500

/** True when there is someone to answer, and a status to answer with. */
export function canAnswer({
  status,
  answerer,
}: Pick<ReceivedRequest, 'status' | 'answerer'>): boolean {
  return status !== null && isThere(answerer)
}

/** Answers one request with a status and what we have to say of it. False when the sender was gone, so that nothing went out. */
export function answer(answerer: Answerer, status: number | null): boolean {
  if (status === null || answerer.kind === 'none') return false
  const text = explanations[status] ?? ''
  switch (answerer.kind) {
    case 'response': {
      const isLast = settle(answerer)
      if (!isThere(answerer)) return false
      const { response } = answerer
      if (isLast || status === 417) response.setHeader('Connection', 'close')
      response.statusCode = status
      if (text !== '') response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      if (text === '') response.end()
      else response.end(text)
      return true
    }
    case 'socket': {
      const { connection } = answerer
      const { newest, socket } = connection
      const isThereNow = isThere(answerer)
      // Counted until it is out: an answer before it that took itself for the last one would close the connection.
      const send = (): void => {
        note(connection)
        endWith(socket, status, text)
      }
      if (newest === null || newest.writableFinished) send()
      else newest.once('finish', send)
      return isThereNow
    }
  }
}

/** Answers one request with an answer that is ready, as it stands. False when the sender was gone. */
export function answerReady(answerer: ResponseAnswerer, ready: ReadyAnswer): boolean {
  const isLast = settle(answerer)
  if (!isThere(answerer)) return false
  const { response } = answerer
  const headers = [...ready.rawHeaders]
  if (saysLength(ready)) headers.push('Content-Length', String(ready.body.byteLength))
  if (isLast) headers.push('Connection', 'close')
  response.writeHead(ready.status, headers)
  response.end(ready.body)
  return true
}

/** Closes the connection of a request without an answer, once those before it on this connection are out. False when it was gone. */
export function dropConnection(answerer: ResponseAnswerer): boolean {
  const { connection, before } = answerer
  note(connection)
  if (!isThere(answerer)) return false
  const cut = (): void => {
    connection.intake?.cutOff('Tabscope dropped the connection, as a response rule says.', null)
    connection.socket.destroy()
  }
  if (before === null || before.writableFinished) cut()
  else before.once('finish', cut)
  return true
}

function isThere(answerer: Answerer): boolean {
  // Not `response.socket`: an answer has none while it waits for those before it.
  if (answerer.kind === 'none' || !answerer.connection.socket.writable) return false
  return answerer.kind === 'socket' || !answerer.response.destroyed
}

/** One fewer is unanswered. */
function note(connection: ConnectionState): void {
  connection.unanswered -= 1
  connection.idleSince = performance.now()
}

/** Notes that a request is answered. True when its answer must close the connection: only the last one may, whatever waits behind. */
function settle({ connection, response }: ResponseAnswerer): boolean {
  note(connection)
  if (!connection.closing || connection.unanswered > 0) return false
  const { newest, socket } = connection
  if (newest === response || newest === null) return true
  // This one was late. Those behind it are given already, and go out before the connection is closed.
  newest.once('finish', () => {
    if (connection.unanswered === 0 && connection.newest === newest) socket.destroySoon()
  })
  return false
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
