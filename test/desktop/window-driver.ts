import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, vi } from 'vitest'
import type { Page } from 'playwright-core'
import type { Desktop, DoubleApp } from '../support/electron-double/launch.ts'
import { root, tempDir } from './harness.ts'

const SOURCES = path.join(root, 'src/hosts/electron')
const FILES = [
  'authorization-window.ts',
  'authorization-pages.ts',
  'authorization-session.ts',
  'permissions.ts',
  'open-external.ts',
]

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
  /** The titles that the window with this number had. */
  titles(window: number): string[]
}

const MAIN = `
import { app } from 'electron'
import http from 'node:http'
import { createAuthorizationWindows } from './authorization-window.ts'
import { openExternal } from './open-external.ts'
const port = createAuthorizationWindows()
const runs = []
app.on('web-contents-created', (_event, contents) => {
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
}
http.createServer(async (request, response) => {
  const [name, input] = JSON.parse(Buffer.concat(await request.toArray()).toString())
  response.end(JSON.stringify((await does[name](input)) ?? null))
}).listen(0, '127.0.0.1', function () { console.log('[driver] ' + this.address().port) })
`

/** Runs the sources themselves, or `breaks` of them. */
export async function startDriver(
  desktop: Desktop,
  breaks: readonly Break[] = [],
  env: Record<string, string> = {},
): Promise<Driver> {
  const folder = tempDir()
  const main = path.join(folder.path, 'out/main')
  mkdirSync(main, { recursive: true })
  writeFileSync(path.join(folder.path, 'package.json'), '{"type":"module","version":"0.0.0"}')
  writeFileSync(path.join(main, 'electron-main.js'), MAIN)
  for (const file of FILES) copyFileSync(path.join(SOURCES, file), path.join(main, file))
  const redirect = pathToFileURL(path.join(root, 'src/engine/oauth/redirect.ts')).href
  change(main, {
    file: 'authorization-window.ts',
    find: /#engine\/oauth\/redirect\.ts/,
    replace: redirect,
  })
  for (const one of breaks) change(main, one)

  const app = desktop.start({ root: folder.path, env })
  // Also before the first test, where there is nothing to expect yet.
  const port = await vi.waitUntil(() => /\[driver\] (\d+)/.exec(app.output())?.[1], 20_000)

  async function ask(name: string, input: unknown = null): Promise<unknown> {
    const body = JSON.stringify([name, input])
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    return answer.json()
  }
  function told(): Told[] {
    const lines = app.output().matchAll(/^\[told\] (.*)$/gm)
    return Array.from(lines, ([, line]): Told => JSON.parse(line ?? ''))
  }

  return {
    app,
    open: async (wish) => void (await ask('open', wish)),
    async page(wish) {
      const page = desktop.nextPage()
      await ask('open', wish)
      return page
    },
    close: async (run) => void (await ask('close', run)),
    closeAll: async () => void (await ask('closeAll')),
    openExternal: async (url) => (await ask('openExternal', url)) === true,
    told,
    async until(kind, run) {
      const find = (): Told | undefined =>
        told().find((one) => one.kind === kind && (run === undefined || one.run === run))
      await expect.poll(find).toBeDefined()
      return find()?.text ?? null
    },
    titles: (window) =>
      Array.from(
        app.output().matchAll(new RegExp(`^\\[window ${window}\\] title: (.*)$`, 'gm')),
        ([, title]) => title ?? '',
      ),
    async [Symbol.asyncDispose]() {
      app.kill('SIGKILL')
      await app.exited
      folder[Symbol.dispose]()
    },
  }
}

function change(folder: string, { file, find, replace }: Break): void {
  const target = path.join(folder, file)
  const before = readFileSync(target, 'utf8')
  const after = before.replace(find, replace)
  if (after === before) throw new Error(`${file} holds no ${String(find)}: nothing was broken`)
  writeFileSync(target, after)
}
