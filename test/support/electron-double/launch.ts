import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { browserOptions } from '../browser.ts'
import type { SimulatedAction } from './actions.ts'

interface Running {
  output(): string
  /** Resolves with the exit code; -1 if killed by a signal. */
  readonly exited: Promise<number>
  kill(signal: NodeJS.Signals): void
}

export interface DoubleApp extends Running {
  /** The launcher's channel on Windows: requests the app to quit, or disconnects. Only with `channel`. */
  launcher(does: 'asks' | 'ends'): void
  /** Simulates an action of the system or the user, see `actions.ts`. The result is visible in the window or in `output()`. */
  simulate(action: SimulatedAction): void
  /** Waits for the first window of the app. Rejects with the output if the app ends before. */
  window(): Promise<Page>
}

export interface Desktop {
  start(options: {
    root: string
    args?: readonly string[]
    env?: Record<string, string>
    channel?: boolean
  }): DoubleApp
  /** Waits for the next page of any app, including popups unless `isPopup` is false. */
  nextPage(which?: { isPopup: false }): Promise<Page>
  pages(): Page[]
  /** Closes a page without asking it. */
  closePage(page: Page): Promise<void>
  close(): Promise<void>
}

interface SharedBrowser {
  readonly context: BrowserContext
  /** Stays open when everything else is closed. */
  readonly blank: Page
  /** Port of the DevTools endpoint. */
  readonly port: string
  isClosed: boolean
}

let shared: Promise<SharedBrowser> | null = null

/** One browser for all files of a worker. It ends with the worker, and is restarted after a crash. */
async function sharedBrowser(): Promise<SharedBrowser> {
  const running = await (shared ??= launchBrowser())
  if (!running.isClosed) return running
  shared = null
  return sharedBrowser()
}

async function launchBrowser(): Promise<SharedBrowser> {
  // Like Electron (shell/browser/feature_list.cc).
  const options = await browserOptions(['LocalNetworkAccessChecks'])
  // Playwright creates the profile, and deletes it when the worker ends.
  const context = await chromium.launchPersistentContext('', {
    ...options,
    args: [
      ...options.args,
      '--remote-debugging-port=0',
      // Allows `Browser.getBrowserCommandLine`.
      '--enable-automation',
    ],
  })
  // Playwright dismisses dialogs without a listener, but they belong to the app.
  context.on('dialog', () => undefined)
  const blank = context.pages()[0] ?? (await context.newPage())
  const session = await context.newCDPSession(blank)
  const { arguments: words } = await session.send('Browser.getBrowserCommandLine')
  await session.detach()
  const profile = words.find((word) => word.startsWith('--user-data-dir='))?.split('=')[1] ?? ''
  const [port = ''] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
  const started = { context, blank, port, isClosed: false }
  context.on('close', () => (started.isClosed = true))
  return started
}

/** Chromium sometimes forgets to close a page that is navigating. Then it is asked again. */
async function closePage({ context, port }: SharedBrowser, page: Page): Promise<void> {
  const closed = page.close().then(() => true)
  const askAgain = async (): Promise<void> => {
    const session = await context.newCDPSession(page)
    const { targetInfo } = await session.send('Target.getTargetInfo')
    await fetch(`http://127.0.0.1:${port}/json/close/${targetInfo.targetId}`)
  }
  while (!(await Promise.race([closed, pause(2000, false)]))) {
    // It fails if the page has closed in the meantime.
    await askAgain().catch(() => undefined)
  }
}

/** Closes the pages of all apps, and deletes what they have stored in the browser. */
async function emptyBrowser(browser: SharedBrowser): Promise<void> {
  const { context, blank } = browser
  const others = context.pages().filter((page) => page !== blank)
  await Promise.all(others.map((page) => closePage(browser, page)))
  const session = await context.newCDPSession(blank)
  await session.send('Storage.clearDataForOrigin', {
    origin: 'https://tabscope.invalid',
    storageTypes: 'all',
  })
  await session.detach()
}

/** Prepares the browser in which apps under the double open their windows, and a folder for their data. */
export async function openDesktop(): Promise<Desktop> {
  const browser = await sharedBrowser()
  const { context, port } = browser
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-desktop-'))
  const apps = new Set<Running>()
  // The program that opens URLs on Linux. It is never run, because the double opens nothing.
  const bin = path.join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'xdg-open'), '', { mode: 0o755 })

  return {
    start({ root, args = [], env = {}, channel = false }) {
      const given = {
        PATH:
          env['DOUBLE_BROWSER'] === 'none'
            ? path.dirname(process.execPath)
            : [bin, process.env['PATH']].join(path.delimiter),
        ...env,
        DOUBLE_CDP: `http://127.0.0.1:${port}`,
        DOUBLE_APP_DATA: folder,
        LOCALAPPDATA: folder,
      }
      const started = startApp(root, args, given, channel)
      apps.add(started)
      const firstPage = context.waitForEvent('page', { timeout: 60_000 })
      firstPage.catch(() => undefined)
      return {
        ...started,
        window: async () =>
          Promise.race([
            firstPage,
            started.exited.then((code) => {
              throw new Error(`The app ended with ${code}:\n${started.output()}`)
            }),
          ]),
      }
    },
    pages: () => context.pages(),
    closePage: (page) => closePage(browser, page),
    nextPage: async (which) =>
      context.waitForEvent('page', {
        timeout: 60_000,
        predicate: async (page) => which === undefined || (await page.opener()) === null,
      }),
    async close() {
      for (const running of apps) running.kill('SIGKILL')
      await Promise.all([...apps].map(async ({ exited }) => exited))
      await emptyBrowser(browser)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function startApp(
  root: string,
  args: readonly string[],
  env: Record<string, string>,
  channel: boolean,
): Running & Pick<DoubleApp, 'simulate' | 'launcher'> {
  const double = pathToFileURL(path.join(import.meta.dirname, 'register.mjs')).href
  const child = spawn(
    process.execPath,
    [
      // Like Electron: unhandled rejections are warnings.
      '--unhandled-rejections=warn-with-error-code',
      '--import',
      double,
      path.join(root, 'out/main/electron-main.js'),
      ...args,
    ],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe', channel ? 'ipc' : 'ignore'],
    },
  )
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('It has no pipes')
  let output = ''
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8')
  }
  stdout.on('data', collect)
  stderr.on('data', collect)
  // Not the child's `close` event, which is not emitted after its channel was disconnected here.
  const written = [stdout, stderr].map(
    async (stream) => new Promise((resolve) => stream.once('close', resolve)),
  )
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code) => void Promise.all(written).then(() => resolve(code ?? -1)))
  })
  // It may already have ended.
  stdin.on('error', () => undefined)
  return {
    output: () => output,
    exited,
    kill: (signal) => void child.kill(signal),
    launcher(does) {
      if (does === 'asks') child.send('quit')
      else child.disconnect()
    },
    simulate: (action) => void stdin.write(`${JSON.stringify(action)}\n`),
  }
}
