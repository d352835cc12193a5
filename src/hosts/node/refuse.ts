import type { ServerResponse } from 'node:http'
import { securityHeaders } from './assets.ts'

/** Responds with an error status and a message. */
export function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}
