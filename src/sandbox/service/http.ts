import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** One request, whole. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The query as it was sent, without the question mark. */
  readonly rawQuery: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Aborted when the client has gone, or the service closes. */
  readonly signal: AbortSignal
}

/** What is answered; `null`: the connection is cut off. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} | null

export type Handler = (request: Request) => Answer | Promise<Answer>

/** An answer in JSON. */
export function json(
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  }
}

/**
 * A refusal in JSON. The document shows no error body: this one is made up, and says so.
 */
export function refusal(
  status: number,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(status, { madeUp: true, error, message }, headers)
}

/** A line of plain text, for what no page and no client of the service asks for. */
export function plain(
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: `${line}\n`,
  }
}

/** Sends the browser on. */
export function redirect(status: 302 | 303, location: string): Answer {
  return { status, headers: { Location: location }, body: '' }
}

/** The media type without its parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase()
}

/** The fields of a submitted form. */
export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(request.body.toString('utf8'))
}

/** Bytes beyond the limit that are still read, and thrown away: who is cut off while sending never sees the answer. */
const patience = 16 * 1024 * 1024

/** The whole body; null when it is longer than `limit` bytes. Rejects when the client goes before its end. */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (length > limit + patience) message.destroy()
    })
    message.on('end', () => resolve(length > limit ? null : Buffer.concat(chunks)))
    message.on('error', reject)
    message.on('close', () => reject(new Error('The body did not end.')))
  })
}

/**
 * Whether a form comes from a page of ours. A browser says where each POST comes from; `strict` refuses those that do not say, and
 * without it they pass, since a program that is no browser carries nobody's authority.
 */
export function sameOrigin(request: Request, origin: string, strict: boolean): boolean {
  const site = request.headers['sec-fetch-site']
  const from = request.headers.origin
  if (site !== undefined && site !== 'same-origin') return false
  if (from !== undefined && from !== origin) return false
  return !strict || from !== undefined
}
