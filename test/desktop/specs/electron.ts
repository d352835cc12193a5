import { spawn, type ChildProcess } from 'node:child_process'
import { _electron, type ElectronApplication } from 'playwright-core'
import { expect } from 'vitest'
import { electronBinary } from '../../../src/build/install-electron.mjs'
import { root } from '../harness.ts'
import type { AppUnderTest, Binary, Chosen } from './app-under-test.ts'

const found = electronBinary(root)
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])

/** Why Electron itself cannot run here; null if it can. */
export const withoutElectron: string | null =
  found === undefined
    ? "Electron's binary is not here (`npx install-electron` fetches it)."
    : hasDisplay
      ? null
      : 'There is no display for Electron.'

/** An installed Electron. Playwright connects to its pages and its main process. */
export async function openElectron(): Promise<Binary> {
  if (found === undefined) throw new Error(withoutElectron ?? '')
  const executablePath = found
  const started: AppUnderTest[] = []
  return {
    interfaceAt: 'app://tabscope',
    async start(args, chosen = {}) {
      const electron = await _electron.launch({ executablePath, args: [root, ...args], cwd: root })
      const app = await underTest(electron, chosen)
      started.push(app)
      return app
    },
    async run(args) {
      // Playwright would wait for a window. If the system does not allow a sandbox for the test, it starts without one.
      const alone = process.platform === 'linux' ? ['--no-sandbox'] : []
      const { output, exited } = watch(
        spawn(executablePath, [...alone, root, ...args], { cwd: root }),
      )
      return { code: await exited, output: output() }
    },
    close: async () => {
      await Promise.all(started.map((app) => app.kill()))
    },
  }
}

function watch(child: ChildProcess): Pick<AppUnderTest, 'output' | 'exited'> {
  const chunks: string[] = []
  const collect = (chunk: Buffer): void => void chunks.push(chunk.toString('utf8'))
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? -1))
  })
  return { output: () => chunks.join(''), exited }
}

async function underTest(electron: ElectronApplication, chosen: Chosen): Promise<AppUnderTest> {
  const child = electron.process()
  const { output, exited } = watch(child)
  // Actions of a user or another program are performed in main.
  await electron.evaluate(({ dialog, shell }, { open, save }) => {
    const outside: string[] = []
    const shown: object[] = []
    Reflect.set(globalThis, 'seenByTest', { outside, shown })
    shell.openExternal = async (url) => void outside.push(url)
    const note = (kind: string, given: readonly unknown[]): void => {
      shown.push({ kind, overWindow: given.length > 1, options: JSON.stringify(given.at(-1)) })
    }
    dialog.showOpenDialog = async (...given: unknown[]) => {
      note('open', given)
      return { canceled: open === undefined, filePaths: open === undefined ? [] : [open] }
    }
    dialog.showSaveDialog = async (...given: unknown[]) => {
      note('save', given)
      return { canceled: save === undefined, filePath: save ?? '' }
    }
  }, chosen)
  return {
    window: () => electron.firstWindow(),
    nextWindow: () => electron.waitForEvent('window'),
    closeWindow: async (page) => {
      const window = await electron.browserWindow(page)
      const gone = page.waitForEvent('close')
      await window.evaluate((closed: { close(): void }) => closed.close())
      await gone
    },
    menuIds: () =>
      electron.evaluate(({ Menu }) => {
        const idsOf = (menu: Electron.Menu | null | undefined): string[] =>
          menu?.items.flatMap(({ id, submenu }) => [id, ...idsOf(submenu)]) ?? []
        return idsOf(Menu.getApplicationMenu()).filter(Boolean)
      }),
    chooseInMenu: (id) =>
      electron.evaluate(({ Menu }, wanted) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById(wanted)
        if (item?.enabled !== true) throw new Error(`${wanted} cannot be chosen`)
        item.click()
      }, id),
    lastTitle: () =>
      electron.evaluate(({ BrowserWindow }) => {
        const windows = BrowserWindow.getAllWindows().toSorted((a, b) => a.id - b.id)
        return windows.at(-1)?.getTitle() ?? ''
      }),
    // Whether it gets the focus depends on the system.
    cameForward: () =>
      expect
        .poll(() =>
          electron.evaluate(({ BrowserWindow }) =>
            BrowserWindow.getAllWindows().some(
              (window) => window.isVisible() && !window.isMinimized(),
            ),
          ),
        )
        .toBe(true),
    dialogs: () => electron.evaluate(() => Reflect.get(globalThis, 'seenByTest').shown),
    openedOutside: () => electron.evaluate(() => Reflect.get(globalThis, 'seenByTest').outside),
    output,
    exited,
    quit: async () => {
      // It may end before it responds.
      await electron.evaluate(({ app }) => app.quit()).catch(() => undefined)
      return exited
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}
