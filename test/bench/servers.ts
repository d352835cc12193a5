// Servers for the benchmarks, each in its own process: `node servers.ts empty|durable|noting|mockttp PORT`.
import { fdatasync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Reads the body and responds with 200: the minimum for any receiver. */
function empty(port: number): void {
  createServer((request, response) => {
    request.on('data', () => undefined)
    request.on('end', () => response.end())
  }).listen(port, '127.0.0.1', () => process.send?.('ready'))
}

/** Like `empty`, and syncs a file before the response: the minimum that loses nothing. */
function durable(port: number): void {
  const blockBytes = 1024 * 1024
  const fileBytes = 256 * blockBytes
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-durable-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.once('SIGTERM', () => process.exit())
  const file = openSync(path.join(folder, 'journal'), 'w+')
  // The size of the file does not change later, which would make each sync slower.
  for (let at = 0; at < fileBytes; at += blockBytes)
    writeSync(file, Buffer.alloc(blockBytes), 0, blockBytes, at)
  fsyncSync(file)
  let end = 0
  let queue: { readonly bytes: Buffer; readonly respond: () => void }[] = []
  let busy = false
  let queuedBefore = 0
  let fullGroup = 1
  const schedule = (): void => {
    if (busy) return
    busy = true
    queuedBefore = 0
    setImmediate(turn)
  }
  const turn = (): void => {
    if (queue.length > queuedBefore && queue.length < fullGroup) {
      queuedBefore = queue.length
      setImmediate(turn)
      return
    }
    const group = queue
    queue = []
    const bytes = Buffer.concat(group.map((one) => one.bytes))
    if (end + bytes.byteLength > fileBytes) end = 0
    writeSync(file, bytes, 0, bytes.byteLength, end)
    end += bytes.byteLength
    fdatasync(file, (error) => {
      if (error) throw error
      busy = false
      fullGroup = (group.length + queue.length) / 2
      for (const { respond } of group) respond()
      if (queue.length > 0) schedule()
    })
  }
  createServer((request, response) => {
    const chunks: Buffer[] = [Buffer.from(request.rawHeaders.join('\n'))]
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      queue.push({ bytes: Buffer.concat(chunks), respond: () => response.end() })
      schedule()
    })
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
if (kind === 'durable') durable(Number(port))
if (kind === 'noting') noting(Number(port))
if (kind === 'mockttp') await mockttp(Number(port), entry ?? '')
