import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** As sent, without the question mark. */
  readonly rawQuery: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Aborted when the client disconnects or the service closes. */
  readonly signal: AbortSignal
}

/** Null: the connection is closed without a response. */
export type HttpResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} | null

export type Handler = (request: Request) => HttpResponse | Promise<HttpResponse>

export function json(
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  }
}

/** The API documentation shows no error body: this format is an assumption, which `madeUp` indicates. */
export function errorResponse(
  status: number,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return json(status, { madeUp: true, error, message }, headers)
}

export function plain(
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: `${line}\n`,
  }
}

export function redirect(location: string): HttpResponse {
  return { status: 302, headers: { Location: location }, body: '' }
}

/** Without parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase()
}

export function parseForm(request: Request): URLSearchParams {
  return new URLSearchParams(request.body.toString('utf8'))
}

/** Read and discarded beyond the limit: a client that is disconnected while sending would not see the response. */
const maxDiscarded = 16 * 1024 * 1024

/** Null if the body is longer than `limit` bytes. Rejects when the client disconnects before the end. */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (length > limit + maxDiscarded) message.destroy()
    })
    message.on('end', () => resolve(length > limit ? null : Buffer.concat(chunks)))
    message.on('error', reject)
    message.on('close', () => reject(new Error('The request body is incomplete.')))
  })
}

/** Browsers send the origin with each POST. Requests without one are accepted: a program that is no browser does not carry a user's session. */
export function sameOrigin(request: Request, origin: string): boolean {
  const site = request.headers['sec-fetch-site']
  const from = request.headers.origin
  return (site === undefined || site === 'same-origin') && (from === undefined || from === origin)
}
