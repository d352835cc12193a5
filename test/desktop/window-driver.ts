import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import type { Page } from 'playwright-core'
import type { Desktop, DoubleApp } from '../support/electron-double/launch.ts'
import { root, tempDir } from './harness.ts'

const SOURCES = path.join(root, 'src/hosts/electron')
const FILES = [
  'authorization/window.ts',
  'authorization/pages.ts',
  'authorization/session.ts',
  'guards.ts',
  'permissions.ts',
  'app-url.ts',
  'system-services.ts',
]

export interface OpenRequest {
  readonly url: string
  readonly redirectUrl: string
  readonly state: string
}

export interface WindowReport {
  readonly run: number
  readonly kind: 'hop' | 'returned' | 'closed' | 'failed'
  readonly text: string | null
}

/** A main process with only the authorization window, controlled by the test. */
export interface Driver extends AsyncDisposable {
  readonly app: DoubleApp
  /** Runs are numbered from 0. */
  open(request: OpenRequest): Promise<void>
  /** Opens it, and resolves with its page. Only for a page that stays for a while. */
  page(request: OpenRequest): Promise<Page>
  close(run: number): Promise<void>
  closeAll(): Promise<void>
  openExternal(url: string): Promise<boolean>
  reported(): WindowReport[]
  /** Waits until a run has reported this. Resolves with its text. */
  until(kind: WindowReport['kind'], run?: number): Promise<string | null>
  /** A server of the first window requests a client certificate. */
  requestCertificate(address: string): Promise<void>
  titles(window: number): string[]
}

const MAIN = `
import { app, BrowserWindow } from 'electron'
import http from 'node:http'
import { createAuthorizationWindows } from './authorization/window.ts'
import { guardApp } from './guards.ts'
import { openExternal } from './system-services.ts'
guardApp()
const port = createAuthorizationWindows()
const runs = []
let opened = 0
app.on('web-contents-created', (_event, contents) => {
  opened += 1
  if (!port.adopt(contents)) throw new Error('Contents outside the session of a run')
})
app.on('window-all-closed', () => undefined)
await app.whenReady()
const does = {
  open(request) {
    const run = runs.length
    const tell = (kind) => (text) => console.log('[reported] ' + JSON.stringify({ run, kind, text: text ?? null }))
    runs.push(port.open(request, { hop: tell('hop'), returned: tell('returned'), closed: tell('closed'), failed: tell('failed') }))
  },
  close: (run) => runs[run].close(),
  closeAll: () => port.closeAll(),
  openExternal,
  requestCertificate(address) {
    const [{ webContents }] = BrowserWindow.getAllWindows()
    app.emit('select-client-certificate', { preventDefault() {} }, webContents, address, [], () => undefined)
  },
  // The state so far: number of runs and windows, and of open windows.
  counts: () => [runs.length, opened, BrowserWindow.getAllWindows().length],
}
http.createServer(async (request, response) => {
  const [name, input] = JSON.parse(Buffer.concat(await request.toArray()).toString())
  try {
    response.end(JSON.stringify((await does[name](input)) ?? null))
  } catch (error) {
    console.error(error)
    response.destroy()
  }
}).listen(0, '127.0.0.1', function () { console.log('[driver] ' + this.address().port) })
`

/** The process with unchanged sources, shared by all tests that use this desktop in sequence: a start takes longer than most tests. */
const shared = new WeakMap<Desktop, Process>()

export async function startDriver(
  desktop: Desktop,
  env: Record<string, string> = {},
): Promise<Driver> {
  const alone = Object.keys(env).length > 0
  if (alone) {
    const process = await startProcess(desktop, env)
    return driverOf(desktop, process, async () => process.end())
  }
  const process = shared.get(desktop) ?? (await startProcess(desktop))
  shared.set(desktop, process)
  return driverOf(desktop, process, async () => {
    await process.ask('closeAll')
    // A process that a test has left in an unexpected state is not reused.
    const isAsBefore = await settles(async () => (await process.counts()).open === 0)
    if (isAsBefore) return
    shared.delete(desktop)
    await process.end()
  })
}

interface Process {
  readonly app: DoubleApp
  ask(name: string, input?: unknown): Promise<unknown>
  counts(): Promise<{ runs: number; windows: number; open: number }>
  end(): Promise<void>
}

async function startProcess(desktop: Desktop, env: Record<string, string> = {}): Promise<Process> {
  const folder = tempDir()
  const main = path.join(folder.path, 'out/main')
  mkdirSync(path.join(main, 'authorization'), { recursive: true })
  writeFileSync(path.join(folder.path, 'package.json'), '{"type":"module","version":"0.0.0"}')
  writeFileSync(path.join(main, 'electron-main.js'), MAIN)
  for (const file of FILES) {
    const text = readFileSync(path.join(SOURCES, file), 'utf8')
    writeFileSync(path.join(main, file), text.replace(/'#([\w-]+\/[^']+)'/g, sourceUrl))
  }

  const app = desktop.start({ root: folder.path, args: [], env })
  void app.exited.then(() => folder[Symbol.dispose]())
  // Also used before the first test, so it cannot use `expect`.
  const port = await Promise.race([
    vi.waitUntil(() => /\[driver\] (\d+)/.exec(app.output())?.[1], 20_000),
    app.exited.then((code) => {
      throw new Error(`The driver exited with code ${code}:\n${app.output()}`)
    }),
  ])

  async function ask(name: string, input: unknown = null): Promise<unknown> {
    const body = JSON.stringify([name, input])
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    return answer.json()
  }
  return {
    app,
    ask,
    counts: async () => {
      const [runs, windows, open] = z.array(z.int()).parse(await ask('counts'))
      return { runs: runs ?? 0, windows: windows ?? 0, open: open ?? 0 }
    },
    async end() {
      app.kill('SIGKILL')
      await app.exited
    },
  }
}

/** The process for one test: runs count from 0, windows from 1, and only later output is visible. */
async function driverOf(
  desktop: Desktop,
  process: Process,
  end: () => Promise<void>,
): Promise<Driver> {
  const { app } = process
  const ask = (name: string, input?: unknown) => process.ask(name, input)
  const before = await process.counts()
  const written = app.output().length
  const output = (): string =>
    app
      .output()
      .slice(written)
      .replaceAll(
        /^\[window (\d+)\]/gm,
        (_whole, number) => `[window ${Number(number) - before.windows}]`,
      )
  function reported(): WindowReport[] {
    const lines = output().matchAll(/^\[reported\] (.*)$/gm)
    return Array.from(lines, ([, line]): WindowReport => {
      const one: WindowReport = JSON.parse(line ?? '')
      return { ...one, run: one.run - before.runs }
    })
  }

  return {
    app: { ...app, output },
    open: async (request) => void (await ask('open', request)),
    async page(request) {
      const earlier = new Set(desktop.pages())
      const origin = URL.parse(request.url)?.origin ?? request.url
      await ask('open', request)
      // A popup of the previous test may be reported only now, shortly before it is closed.
      const isNew = (page: Page): boolean => !earlier.has(page) && !page.isClosed()
      const opened = Date.now()
      return vi.waitUntil(() => {
        const pages = desktop.pages().filter(isNew)
        const certain = pages.find((page) => page.url().startsWith(origin))
        return certain ?? (Date.now() - opened > 500 ? pages[0] : undefined)
      }, 20_000)
    },
    close: async (run) => void (await ask('close', before.runs + run)),
    closeAll: async () => void (await ask('closeAll')),
    requestCertificate: async (address) => void (await ask('requestCertificate', address)),
    openExternal: async (url) => (await ask('openExternal', url)) === true,
    reported,
    async until(kind, run) {
      const find = (): WindowReport | undefined =>
        reported().find((one) => one.kind === kind && (run === undefined || one.run === run))
      await expect.poll(find).toBeDefined()
      return find()?.text ?? null
    },
    titles: (window) =>
      Array.from(
        output().matchAll(new RegExp(`^\\[window ${window}\\] title: (.*)$`, 'gm')),
        ([, title]) => title ?? '',
      ),
    [Symbol.asyncDispose]: end,
  }
}

async function settles(is: () => Promise<boolean>): Promise<boolean> {
  try {
    await expect.poll(is, { timeout: 60_000 }).toBe(true)
    return true
  } catch {
    return false
  }
}

/** The imports of other layers, which the copies cannot resolve. */
function sourceUrl(_: string, module: string): string {
  return `'${pathToFileURL(path.join(root, 'src', module)).href}'`
}
