// Servers for the benchmarks, each in its own process: `node servers.ts empty|noting|hanging|mockttp|proxy|tunnel PORT`.
import { Agent, createServer, request } from 'node:http'
import { tunnelServer } from '../support/tunnel-server.ts'

/** Reads the body and responds with 200: the minimum for any receiver. */
function empty(port: number): void {
  createServer((request, response) => {
    request.on('data', () => undefined)
    request.on('end', () => response.end())
  }).listen(port, '127.0.0.1', () => process.send?.('ready'))
}

/** Like `empty`, and reports received signatures on a message, in order of completed requests. */
function noting(port: number): void {
  const received: string[] = []
  process.on('message', () => process.send?.(received.splice(0)))
  createServer((request, response) => {
    request.on('data', () => undefined)
    request.on('end', () => {
      received.push(String(request.headers['x-service-signature']))
      response.end()
    })
  }).listen(port, '127.0.0.1', () => process.send?.('ready'))
}

/** Reads requests, and never responds. */
function hanging(port: number): void {
  createServer((request) => request.resume()).listen(port, '127.0.0.1', () => {
    process.send?.('ready')
  })
}

/** Forwards to a port received in a message, with reused connections: measures the cost of an additional hop. */
function proxy(port: number): void {
  const agent = new Agent({ keepAlive: true })
  let target = 0
  process.on('message', (to) => {
    target = Number(to)
    process.send?.('taken')
  })
  createServer((incoming, response) => {
    const { method, url: path, headers } = incoming
    const out = request(
      { agent, host: '127.0.0.1', port: target, method, path, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    out.on('error', () => response.destroy())
    incoming.pipe(out)
  }).listen(port, '127.0.0.1', () => process.send?.('ready'))
}

/** The engine of HTTP Toolkit, configured to respond with 200 and to record requests. */
async function mockttp(port: number, entry: string): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- installed only for the benchmark, so there are no types to import
  const library = (await import(entry)) as {
    getLocal(): {
      start(port: number): Promise<void>
      forAnyRequest(): { thenReply(status: number): Promise<unknown> }
    }
  }
  const server = library.getLocal()
  await server.start(port)
  await server.forAnyRequest().thenReply(200)
  process.send?.('ready')
}

const [kind, port, entry] = process.argv.slice(2)
if (kind === 'empty') empty(Number(port))
if (kind === 'noting') noting(Number(port))
if (kind === 'hanging') hanging(Number(port))
if (kind === 'proxy') proxy(Number(port))
if (kind === 'tunnel') {
  await tunnelServer({ port: Number(port) })
  process.send?.('ready')
}
if (kind === 'mockttp') await mockttp(Number(port), entry ?? '')
