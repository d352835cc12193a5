import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { z } from 'zod'
import { launchBrowser } from './browser.ts'
import { isIdleSharedPage, acquirePage, newPage, type PageLook } from './shared-page.ts'

const Ready = z.object({
  event: z.literal('ready'),
  ui: z.string(),
  listener: z.string(),
  endpoint: z.string(),
  dataDir: z.string(),
})

export type Product = z.infer<typeof Ready> & {
  readonly process: ChildProcess
  stop(): Promise<void>
} & AsyncDisposable

const cli = path.resolve(import.meta.dirname, '../../out/main/cli.js')

/** Starts the built product with its interface, in its own data folder. */
export async function startProduct(...args: string[]): Promise<Product> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tabscope-e2e-'))
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--no-open', '--json', '--port', '0', '--data', dataDir, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)))
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  return {
    ...Ready.parse(JSON.parse(line)),
    process: child,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A page of the product's interface. Page errors and violations of the content security policy fail the test. */
export interface Watched extends AsyncDisposable {
  readonly page: Page
  readonly faults: string[]
}

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

/** Opens the interface in the shared page. */
export async function openPage(address: string, look: PageLook = {}): Promise<Watched> {
  const { page, release } = await acquirePage(await browser(), look)
  return watch(page, address, release)
}

/** Opens the interface in a new page, for tests that change the page itself. */
export async function openOwnPage(
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const page = await newPage(await browser(), options)
  return watch(page, address, () => page.context().close())
}

async function watch(page: Page, address: string, end: () => Promise<void>): Promise<Watched> {
  const faults: string[] = []
  const failed = (error: Error): void => void faults.push(error.message)
  const said = (message: ConsoleMessage): void => {
    if (message.type() === 'error') faults.push(message.text())
  }
  page.on('pageerror', failed).on('console', said)
  await page.goto(address)
  return {
    page,
    faults,
    [Symbol.asyncDispose]: async () => {
      page.off('pageerror', failed).off('console', said)
      await end()
    },
  }
}

/** Posts a body like the service, signed if a secret is given. Resolves with the status. */
export async function deliver(
  url: string,
  body: string | Uint8Array,
  options: { secret?: string; headers?: Record<string, string>; type?: string } = {},
): Promise<number> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const signature = options.secret
    ? {
        'X-Service-Signature': createHmac('sha256', options.secret).update(bytes).digest('hex'),
      }
    : {}
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-WebhookAgent/1.0',
      ...signature,
      ...options.headers,
    },
    body: new Uint8Array(bytes),
  })
  return response.status
}

/** Opens a page of the navigation. */
export async function goTo(
  page: Page,
  name:
    | 'Deliveries'
    | 'Compose'
    | 'Jobs'
    | 'Conformance'
    | 'Rehearse'
    | 'Authorization'
    | 'API console'
    | 'Endpoints'
    | 'Tunnel'
    | 'Sandbox'
    | 'Event logs'
    | 'Assistant activity'
    | 'Settings',
): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
}
