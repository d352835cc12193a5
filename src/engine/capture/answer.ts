import { STATUS_CODES } from 'node:http'
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

/** Answers one request. False when the sender was gone, so that nothing went out. */
export function answer(arrived: Arrived, status: number | null, closing: boolean): boolean {
  if (status === null) return false
  const text = explanations[status] ?? ''
  switch (arrived.answerer.kind) {
    case 'none':
      return false
    case 'response': {
      const { response, connection } = arrived.answerer
      connection.unanswered -= 1
      connection.idleSince = performance.now()
      if (response.destroyed || !response.socket?.writable) return false
      if (closing || status === 417) response.setHeader('Connection', 'close')
      response.statusCode = status
      if (text !== '') response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      if (text === '') response.end()
      else response.end(text)
      return true
    }
    case 'socket': {
      const { socket } = arrived.answerer
      if (!socket.writable) return false
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
          `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
      )
      return true
    }
  }
}
