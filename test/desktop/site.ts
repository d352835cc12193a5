import { loopbackService } from '#test/support/loopback-service.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly cookie: string
}

type Page = string | { status: number; headers: Record<string, string>; body?: string }

/** A web server on 127.0.0.1 that records its requests. */
export interface Site extends AsyncDisposable {
  readonly origin: string
  readonly asked: readonly Asked[]
  /** The requested paths, with their query. */
  paths(): string[]
  /** Responds to this path, with any query, with this page; to all others with 404. */
  page(path: string, page: Page | ((asked: Asked) => Page)): void
}

export async function openSite(): Promise<Site> {
  const asked: Asked[] = []
  const pages = new Map<string, Page | ((asked: Asked) => Page)>()
  const server = await loopbackService(({ method, url, headers }, response) => {
    if (url === '/favicon.ico') return void response.writeHead(404).end()
    const one = { method, path: url, cookie: headers.cookie ?? '' }
    asked.push(one)
    const found = pages.get(url.split('?')[0] ?? '') ?? { status: 404, headers: {} }
    const page = typeof found === 'function' ? found(one) : found
    if (typeof page === 'string') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    } else response.writeHead(page.status, page.headers).end(page.body)
  })
  return {
    origin: server.baseUrl,
    asked,
    paths: () => asked.map(({ path }) => path),
    page: (path, page) => void pages.set(path, page),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export const redirectTo = (location: string): Page => ({ status: 302, headers: { location } })
