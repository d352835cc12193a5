import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  'menu/context-menu.ts',
  'menu/menu-items.ts',
  'permissions.ts',
  'app-url.ts',
  'open-external.ts',
]

/** What they import of other layers. */
const LAYERS = [
  ['authorization/window.ts', 'engine/oauth/redirect.ts'],
  ['authorization/window.ts', 'shared/text/address.ts'],
  ['menu/context-menu.ts', 'shared/text/address.ts'],
  ['open-external.ts', 'engine/tunnel/program/find.ts'],
] as const

/** One departure from the sources: `find` must be there, or the test would prove nothing. */
export interface Break {
  readonly file: string
  readonly find: RegExp
  readonly replace: string
}

export interface Wish {
  readonly url: string
  readonly redirectUrl: string
  readonly state: string
}

/** What the port told, in order. */
export interface Told {
  readonly run: number
  readonly kind: 'hop' | 'returned' | 'closed' | 'failed'
  readonly text: string | null
}

/** A main process with the authorization window and nothing else, which the test tells what to do. */
export interface Driver extends AsyncDisposable {
  readonly app: DoubleApp
  /** Runs are numbered from 0. */
  open(wish: Wish): Promise<void>
  /** Opens it, and resolves with its page: only where the page stays for a while. */
  page(wish: Wish): Promise<Page>
  /** What main does at the end of a run. */
  close(run: number): Promise<void>
  closeAll(): Promise<void>
  openExternal(url: string): Promise<boolean>
  told(): Told[]
  /** Waits until a run told this; resolves with its text. */
  until(kind: Told['kind'], run?: number): Promise<string | null>
  /** The user asks for the context menu in the window with this number. */
  contextMenu(window: number, what: Record<string, string | boolean>): void
  /** The titles that the window with this number had. */
  titles(window: number): string[]
}

const MAIN = `
import { app, BrowserWindow } from 'electron'
import http from 'node:http'
import { createAuthorizationWindows } from './authorization/window.ts'
import { guardApp } from './guards.ts'
import { enableContextMenu } from './menu/context-menu.ts'
import { openExternal } from './open-external.ts'
guardApp()
const port = createAuthorizationWindows()
const runs = []
let opened = 0
app.on('web-contents-created', (_event, contents) => {
  opened += 1
  enableContextMenu(contents)
  if (!port.adopt(contents)) throw new Error('Contents outside the session of a run')
})
app.on('window-all-closed', () => undefined)
await app.whenReady()
const does = {
  open(wish) {
    const run = runs.length
    const tell = (kind) => (text) => console.log('[told] ' + JSON.stringify({ run, kind, text: text ?? null }))
    runs.push(port.open(wish, { hop: tell('hop'), returned: tell('returned'), closed: tell('closed'), failed: tell('failed') }))
  },
  close: (run) => runs[run].close(),
  closeAll: () => port.closeAll(),
  openExternal,
  // What was there before: runs and windows so far, and windows that are still open.
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

/** The one of the sources as they are, for all tests that use this desktop one after the other: a start takes longer than most tests. */
const shared = new WeakMap<Desktop, Process>()

/** Runs the sources themselves, or `breaks` of them. */
export async function startDriver(
  desktop: Desktop,
  breaks: readonly Break[] = [],
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Driver> {
  const alone = breaks.length > 0 || Object.keys(env).length > 0 || args.length > 0
  if (alone) {
    const process = await startProcess(desktop, breaks, env, args)
    return driverOf(desktop, process, async () => process.end())
  }
  const process = shared.get(desktop) ?? (await startProcess(desktop))
  shared.set(desktop, process)
  return driverOf(desktop, process, async () => {
    await process.ask('closeAll')
    // One that a test has left as it must not be is nobody else's.
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

async function startProcess(
  desktop: Desktop,
  breaks: readonly Break[] = [],
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Process> {
  const folder = tempDir()
  const main = path.join(folder.path, 'out/main')
  for (const room of ['authorization', 'menu'])
    mkdirSync(path.join(main, room), { recursive: true })
  writeFileSync(path.join(folder.path, 'package.json'), '{"type":"module","version":"0.0.0"}')
  writeFileSync(path.join(main, 'electron-main.js'), MAIN)
  for (const file of FILES) copyFileSync(path.join(SOURCES, file), path.join(main, file))
  for (const [file, module] of LAYERS) {
    const replace = pathToFileURL(path.join(root, 'src', module)).href
    change(main, { file, find: new RegExp(`#${module}`), replace })
  }
  for (const one of breaks) change(main, one)

  const app = desktop.start({ root: folder.path, args, env })
  void app.exited.then(() => folder[Symbol.dispose]())
  // Also before the first test, where there is nothing to expect yet.
  const port = await vi.waitUntil(() => /\[driver\] (\d+)/.exec(app.output())?.[1], 20_000)

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

/** The process for one test: runs count from 0, windows from 1, and of the output it sees what came since. */
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
  function told(): Told[] {
    const lines = output().matchAll(/^\[told\] (.*)$/gm)
    return Array.from(lines, ([, line]): Told => {
      const one: Told = JSON.parse(line ?? '')
      return { ...one, run: one.run - before.runs }
    })
  }

  return {
    app: { ...app, output },
    open: async (wish) => void (await ask('open', wish)),
    async page(wish) {
      const page = desktop.nextPage()
      await ask('open', wish)
      return page
    },
    close: async (run) => void (await ask('close', before.runs + run)),
    closeAll: async () => void (await ask('closeAll')),
    openExternal: async (url) => (await ask('openExternal', url)) === true,
    told,
    async until(kind, run) {
      const find = (): Told | undefined =>
        told().find((one) => one.kind === kind && (run === undefined || one.run === run))
      await expect.poll(find).toBeDefined()
      return find()?.text ?? null
    },
    contextMenu: (window, what) =>
      app.wish({ kind: 'context-menu', window: before.windows + window, ...what }),
    titles: (window) =>
      Array.from(
        output().matchAll(new RegExp(`^\\[window ${window}\\] title: (.*)$`, 'gm')),
        ([, title]) => title ?? '',
      ),
    [Symbol.asyncDispose]: end,
  }
}

/** Whether it comes to that within some seconds. */
async function settles(is: () => Promise<boolean>): Promise<boolean> {
  try {
    await expect.poll(is, { timeout: 5000 }).toBe(true)
    return true
  } catch {
    return false
  }
}

function change(folder: string, { file, find, replace }: Break): void {
  const target = path.join(folder, file)
  const before = readFileSync(target, 'utf8')
  const after = before.replace(find, replace)
  if (after === before) throw new Error(`${file} holds no ${String(find)}: nothing was broken`)
  writeFileSync(target, after)
}
