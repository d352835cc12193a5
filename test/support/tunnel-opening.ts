import type { ServerResponse } from 'node:http'
import { randomName } from './tunnel-connections.ts'

/**
 * Response to a request for a tunnel. `closed-port`: a port without a listener; `nothing`: no response;
 * `json`: an object that is not a tunnel.
 */
export type OpeningAnswer =
  | 'tunnel'
  | 'html'
  | '403'
  | '429'
  | '500'
  | 'json'
  | 'closed-port'
  | 'nothing'

export const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`

/** Handles `GET /?new` and `GET /<id>`. `open` creates a tunnel with this name, or with another if it is taken. */
export async function answerOpening(
  target: string,
  res: ServerResponse,
  answer: OpeningAnswer,
  open: (id: string) => Promise<object>,
): Promise<void> {
  const json = (status: number, value: object): void =>
    void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
  const html = (status: number, title: string): void =>
    void res.writeHead(status, { 'Content-Type': 'text/html' }).end(page(title))
  switch (answer) {
    case 'nothing':
      return
    case 'html':
      html(200, 'Welcome')
      return
    case '403':
      json(403, { message: 'This address may not open tunnels.' })
      return
    case '429':
      html(429, 'Too Many Requests')
      return
    case '500':
      html(500, 'Internal Server Error')
      return
    case 'json':
      json(200, { hello: 'there' })
      return
    case 'closed-port':
    case 'tunnel':
  }
  const isNew = target === '/?new'
  const id = isNew ? randomName() : target.slice(1)
  if (!isNew && !/^[a-z0-9][a-z0-9-]{2,61}[a-z0-9]$/.test(id)) {
    json(403, {
      message:
        'Invalid subdomain. Subdomains must be lowercase and between 4 and 63 alphanumeric characters.',
    })
    return
  }
  const tunnel = await open(id)
  // Port 1 is privileged, so no test can listen there.
  json(200, answer === 'closed-port' ? { ...tunnel, port: 1 } : tunnel)
}
