// Serves a route handler of Next.js (`POST`), or `fetch` of a Worker or an app, over node:http.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

// As a bundler does: `./webhooks` is `./webhooks.ts`.
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^\.\.?\/(?:.*\/)?[\w-]+$/.test(specifier) ? `${specifier}.ts` : specifier, context),
})

const [file, port] = process.argv.slice(2)
const { POST, app, default: worker = app } = await import(pathToFileURL(file).href)
const context = { waitUntil() {} }

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch((error) => {
    console.error(error)
    if (!outgoing.headersSent) outgoing.writeHead(500)
    outgoing.end()
  })
})

async function serve(incoming, outgoing) {
  const headers = new Headers()
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at], incoming.rawHeaders[at + 1])
  const { method } = incoming
  // Next.js responds with 405 if the route does not export the method.
  if (POST && method !== 'POST') return outgoing.writeHead(405).end()
  const body = ['GET', 'HEAD'].includes(method) ? null : Readable.toWeb(incoming)
  const url = `http://127.0.0.1:${port}${incoming.url}`
  const request = new Request(url, { method, headers, body, duplex: 'half' })
  const response = await (POST ? POST(request) : worker.fetch(request, process.env, context))
  outgoing.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()))
}
server.listen(Number(port), '127.0.0.1')
await once(server, 'listening')
