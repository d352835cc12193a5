// Measures the start with a filled store: from process start to listening, and from navigation to the first rendered list.
// DELIVERIES=1000000 measures a store of that size instead of 5,000 deliveries. Alternates with a minimal Node process that opens the same SQLite file and listens, and a static page with the same number of rows.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { _electron, type Browser, type Page } from 'playwright-core'
import { runnerImport } from 'vite'
import { electronBinary } from '../../src/build/install-electron.mjs'
import { launchBrowser } from '../support/browser.ts'
import { load, median, print, root, secret } from './processes.ts'
import type { storeOf } from './store/store-of.ts'

const rounds = Number(process.env['ROUNDS'] ?? 10)
const deliveries = Number(process.env['DELIVERIES'] ?? 5000)
const cli = path.join(root, 'out/main/cli.js')

interface Started {
  /** Milliseconds from process start to its first line of output, which is written when it listens. */
  readonly ms: number
  readonly said: string
  stop(): Promise<void>
}

async function start(args: readonly string[]): Promise<Started> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: root })
  const said = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)))
  })
  const ms = performance.now() - began
  return {
    ms,
    said,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A minimal server with Node and SQLite. Its page contains the rows. */
const bare = (file: string): string => `
  import Database from 'better-sqlite3'
  import { createServer } from 'node:http'
  const db = new Database(${JSON.stringify(file)}, { readonly: true })
  const { n } = db.prepare('SELECT count(*) AS n FROM delivery').get()
  const rows = Array.from({ length: 40 }, (_, at) => '<div data-testid="delivery-row">' + (n - at) + ' delivery of some type, with some words</div>').join('')
  const page = '<!doctype html><meta charset="utf-8"><title>Rows</title><body>' + rows
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ ui: 'http://127.0.0.1:' + server.address().port })))
  process.on('SIGTERM', () => process.exit())`

const serve = (dataDir: string): string[] => [
  cli,
  'serve',
  '--no-open',
  '--json',
  '--port',
  '0',
  '--data',
  dataDir,
]

/** Returns the milliseconds from navigation to the first frame with a row. */
async function painted(page: Page): Promise<number> {
  await page.getByTestId('delivery-row').first().waitFor()
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // A message posted in a frame is handled after the frame is rendered.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(performance.now()))
          port1.start()
          port2.postMessage(null)
        })
      }),
  )
}

async function inBrowser(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'commit' })
    return await painted(page)
  } finally {
    await context.close()
  }
}

/** Times of each round in milliseconds. */
interface Side {
  readonly name: string
  readonly args: readonly string[]
  readonly listening: number[]
  readonly list: number[]
}

function sideOf(name: string, args: readonly string[]): Side {
  return { name, args, listening: [], list: [] }
}

function uiOf(said: string): string {
  const { ui }: { ui: string } = JSON.parse(said)
  return ui
}

const parent = path.join(root, 'node_modules/.cache/bench')
mkdirSync(parent, { recursive: true })
const dataDir = mkdtempSync(path.join(parent, 'start-'))
const browser = await launchBrowser()
try {
  await (deliveries === 5000 ? capture() : copyStore(deliveries))
  print(`start: over ${deliveries} deliveries, ${rounds} rounds of each, in turns`)
  const sides = [
    sideOf('bare', ['--input-type=module', '-e', bare(path.join(dataDir, 'tabscope.db'))]),
    sideOf('tabscope', serve(dataDir)),
  ] as const
  for (let round = 0; round < rounds; round += 1) {
    for (const { args, listening, list } of sides) {
      const started = await start(args)
      listening.push(started.ms)
      list.push(await inBrowser(browser, uiOf(started.said)))
      await started.stop()
    }
  }
  for (const { name, listening, list } of sides) {
    print(
      `  ${name.padEnd(9)} listening after ${median(listening).toFixed(0)} ms, the list painted ${median(list).toFixed(0)} ms after its page was asked for`,
    )
  }
  const [before, ours] = sides
  print(
    `  ${''.padEnd(9)} ${(median(ours.listening) / median(before.listening)).toFixed(1)} and ${(median(ours.list) / median(before.list)).toFixed(1)} times as long`,
  )

  const binary = electronBinary(root)
  if (binary === undefined) print('  Electron   its binary is not here')
  else await inElectron(binary)
} finally {
  await browser.close()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

async function capture(): Promise<void> {
  const first = await start([...serve(dataDir), '--secret', secret])
  const { listener }: { listener: string } = JSON.parse(first.said)
  const port = Number(new URL(listener).port)
  await load({
    path: '/hooks/sandbox',
    secret,
    connections: 8,
    rate: deliveries / 5,
    port,
    seconds: 5,
  })
  await first.stop()
}

interface StoreOf {
  readonly storeOf: typeof storeOf
}

/** Copies a store with this number of deliveries. It is built once, with the engine's code, which needs a bundler. */
async function copyStore(count: number): Promise<void> {
  const file = path.join(import.meta.dirname, 'store/store-of.ts')
  const options = { root, configFile: false, logLevel: 'error' } as const
  const { module } = await runnerImport<StoreOf>(file, options)
  cpSync(module.storeOf(count, print), dataDir, { recursive: true })
}

/** Measures the time from process start to the list in Electron. */
async function inElectron(binary: string): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    const app = await _electron.launch({
      executablePath: binary,
      args: [root, '--data', dataDir, '--port', '0'],
    })
    await painted(await app.firstWindow())
    times.push(performance.now() - began)
    await app.close()
  }
  print(
    `  Electron   the list painted ${median(times).toFixed(0)} ms after the start of its process`,
  )
}
