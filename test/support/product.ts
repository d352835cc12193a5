import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { z } from 'zod'
import type { Engine } from '#engine/app/engine.ts'
import { openInterfaceServer } from '#hosts/node/serve/interface-server.ts'
import { addresses, startRunning } from '#hosts/node/session/running.ts'
import { launchBrowser } from './browser.ts'
import { sign } from './requests.ts'
import { isIdleSharedPage, acquirePage, newPage, type PageLook } from './shared-page.ts'

const root = path.resolve(import.meta.dirname, '../..')

export interface Product extends AsyncDisposable {
  /** Address of the interface, with its token. */
  readonly ui: string
  /** Origin of the listener. */
  readonly listener: string
  /** Webhook URL of the first endpoint. */
  readonly endpoint: string
  readonly dataDir: string
  /** In this process: for what a test prepares, and what it does beside the page. */
  readonly engine: Engine
  readonly ended: boolean
  stop(): Promise<void>
}

export interface ProductOptions {
  /** Secret of the first endpoint. */
  readonly secret?: string
  /** A folder that the test removes itself. Default: a new folder that is removed with the product. */
  readonly dataDir?: string
}

/** Starts the engine and the interface server of `serve` in this process, with the built interface and worker threads. */
export async function startProduct({ secret, dataDir }: ProductOptions = {}): Promise<Product> {
  const folder = dataDir ?? mkdtempSync(path.join(tmpdir(), 'tabscope-e2e-'))
  const forwarding = { urls: [], types: [], mode: 'after' as const, retries: 0, allowed: false }
  const running = await startRunning(
    { dataDir: folder, port: 0, secret, tunnel: undefined, forwarding },
    'serve',
    { opensBrowser: false },
  )
  const { engine } = running
  const { listener, endpoint } = addresses(running)
  if (listener === null || endpoint === null) throw new Error('the product does not listen')
  const server = await openInterfaceServer(engine, path.join(root, 'out/renderer'), 0)
  let ended = false
  const stop = async (): Promise<void> => {
    if (ended) return
    ended = true
    await server.close()
    await engine.close()
  }
  return {
    ui: server.address,
    listener,
    endpoint,
    dataDir: folder,
    engine,
    get ended() {
      return ended
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const Ready = z.object({
  event: z.literal('ready'),
  ui: z.string(),
  listener: z.string(),
  endpoint: z.string(),
  dataDir: z.string(),
})

/** Starts the built `serve` command in a process of its own, as a user does, in a new folder. */
export async function startServeProcess(...args: string[]): Promise<Omit<Product, 'engine'>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tabscope-e2e-'))
  const cli = path.join(root, 'out/main/cli.js')
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--no-open', '--json', '--port', '0', '--data', dataDir, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)))
  })
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null
  const stop = async (): Promise<void> => {
    if (ended()) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
  }
  return {
    ...Ready.parse(JSON.parse(line)),
    get ended() {
      return ended()
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A page of the product's interface. Its release throws for page errors and violations of the content security policy. */
export type OpenedPage = Page & { readonly faults: readonly string[] }

let shared: Promise<Browser> | null = null

/** One browser for all files of a worker. It ends with the worker, and is restarted after a crash. */
export async function browser(): Promise<Browser> {
  const running = await (shared ??= launchBrowser())
  if (running.isConnected()) return running
  shared = null
  return browser()
}

/** Closes the browser, for scripts that run outside of a test worker. */
export async function endBrowser(): Promise<void> {
  if (shared) await (await shared).close()
  shared = null
}

/** Closes all pages of a test file except the shared page. */
export async function closeBrowser(): Promise<void> {
  if (!shared) return
  const all = (await shared).contexts().filter((context) => !isIdleSharedPage(context))
  await Promise.all(all.map((context) => context.close()))
}

export async function openPage(address: string, look: PageLook = {}): Promise<OpenedPage> {
  const { page, release } = await acquirePage(await browser(), look)
  return watch(page, address, release)
}

/** Opens the interface in a new page, for tests that change the page itself. */
export async function openOwnPage(
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const page = await newPage(await browser(), options)
  return watch(page, address, () => page.context().close())
}

async function watch(page: Page, address: string, end: () => Promise<void>): Promise<OpenedPage> {
  const faults: string[] = []
  const failed = (error: Error): void => void faults.push(error.message)
  const said = (message: ConsoleMessage): void => {
    if (message.type() === 'error') faults.push(message.text())
  }
  page.on('pageerror', failed).on('console', said)
  await page.goto(address)
  return Object.assign(page, {
    faults,
    [Symbol.asyncDispose]: async () => {
      page.off('pageerror', failed).off('console', said)
      await end()
      if (faults.length > 0) throw new Error(`The page reported: ${faults.join('; ')}`)
    },
  })
}

/** Posts a body like the service, signed if a secret is given. Resolves with the status. */
export async function deliver(
  url: string,
  body: string | Uint8Array,
  options: { secret?: string; headers?: Record<string, string>; type?: string } = {},
): Promise<number> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const { secret } = options
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-WebhookAgent/1.0',
      ...(secret ? { 'X-Service-Signature': sign(bytes, secret) } : {}),
      ...options.headers,
    },
    body: new Uint8Array(bytes),
  })
  return response.status
}

/** Opens a page by its name in the rail, and a tab of it. */
export async function goTo(page: Page, name: string, tab?: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
  if (tab === undefined) return
  const tabs = page.getByRole('navigation', { name: `Tabs of ${name}` })
  await tabs.getByRole('link', { name: tab }).click()
}
