import { app, BrowserWindow, Menu, protocol, type WebContents } from 'electron'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { entries } from '#contract/commands.ts'
import { readDuration } from '#contract/filter/values.ts'
import type { Snapshot } from '#contract/calls.ts'
import {
  checkAuthorization,
  checkCrashReports,
  checkDelivery,
  checkCertificates,
  checkListener,
  checkSecrets,
  checkThreads,
  checkTls,
  crashReportsIn,
} from '../self-check/engine-checks.ts'
import { createRunner, waitFor, writeStdout, type SelfCheckRunner } from '../self-check/runner.ts'
import { crashFolder, logFileIn } from '../data-dir.ts'
import { APP_HOST, APP_SCHEME, APP_URL } from './app-url.ts'
import type { RestartPrompt } from './engine/engine-failure.ts'
import type { EngineView } from './engine/view.ts'
import { idOf } from './menu/menu-items.ts'
import type { SystemSecrets } from './secrets.ts'
import type { InterfaceWindow } from './window/interface-window.ts'

export interface CheckedApp {
  readonly view: EngineView
  readonly window: InterfaceWindow
  readonly secrets: SystemSecrets
  readonly hasTray: boolean
  readonly closeEngine: () => Promise<void>
}

/**
 * `--self-check`: checks with a temporary data folder that everything works on this machine. Prints a JSON line for each check and a verdict, and exits with
 * 0 or 1. `--report DIR` also writes `self-check.jsonl`, `window.png`, `tabscope.log` and the crash reports of this process. Shows no dialogs, and sends nothing to other machines.
 */
export interface SelfCheck {
  /** They replace those of the process. */
  readonly args: readonly string[]
  run(app: CheckedApp): Promise<void>
  /** Tabscope cannot start or continue. Ends the process with exit code 1. */
  abort(reason: unknown): void
  /** There is no user to ask whether to restart. */
  readonly ask: RestartPrompt
}

/** Null without `--self-check`. */
export function openSelfCheck(args: readonly string[]): SelfCheck | null {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: {
      'self-check': { type: 'boolean' },
      report: { type: 'string' },
      timeout: { type: 'string' },
    },
  })
  if (values['self-check'] !== true) return null
  const report = typeof values.report === 'string' ? path.resolve(values.report) : null
  const dataDir = openFolders(report)
  const runner = createRunner((line) => {
    writeStdout(line)
    if (report !== null) appendFileSync(path.join(report, 'self-check.jsonl'), `${line}\n`)
  }, timeoutOf(values.timeout))
  let isOver = false

  /** Immediately, so that nothing can keep the process from ending. */
  function finish(): void {
    if (isOver) return
    isOver = true
    const code = runner.finish({
      version: app.getVersion(),
      packaged: app.isPackaged,
      electron: process.versions.electron,
      chromium: process.versions['chrome'] ?? '',
      node: process.versions.node,
      system: `${process.platform} ${release()} ${process.arch}`,
    })
    const log = logFileIn(dataDir)
    if (report !== null) {
      if (existsSync(log)) copyFileSync(log, path.join(report, 'tabscope.log'))
      // Of this process, whose folder has no data of the user.
      const crashes = crashFolder(log)
      for (const file of crashReportsIn(crashes))
        copyFileSync(path.join(crashes, file), path.join(report, path.basename(file)))
    }
    try {
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // On Windows Chromium still has files open there. The system deletes temporary files itself.
    }
    app.exit(code)
  }

  function abort(reason: unknown): void {
    if (isOver) return
    runner.fail('start', reason)
    finish()
  }
  app.on('before-quit', () => abort('Tabscope was closed before the self-check ended.'))

  return {
    // The system chooses the port, since another Tabscope may be listening.
    args: ['--data', dataDir, '--port', '0'],
    abort,
    async ask({ message, detail }) {
      abort(`${message} ${detail}`)
      return false
    },
    async run(checked) {
      await runChecks(runner, checked, dataDir, report)
      await runner.check('close', async () => {
        await checked.closeEngine()
        return null
      })
      finish()
    },
  }
}

/** If that fails, the self-check has failed, and the process ends. */
function openFolders(report: string | null): string {
  try {
    if (report !== null) {
      mkdirSync(report, { recursive: true })
      rmSync(path.join(report, 'self-check.jsonl'), { force: true })
    }
    return mkdtempSync(path.join(tmpdir(), 'tabscope-self-check-'))
  } catch (error) {
    const runner = createRunner(writeStdout)
    runner.fail('folders', error)
    app.exit(runner.finish({ version: app.getVersion() }))
    throw error
  }
}

/** `60s`; undefined, for the default, if invalid. */
function timeoutOf(text: string | boolean | undefined): number | undefined {
  const ms = typeof text === 'string' ? readDuration(text) : null
  return ms !== null && ms > 0 ? ms : undefined
}

async function runChecks(
  runner: SelfCheckRunner,
  { view, window, secrets, hasTray }: CheckedApp,
  dataDir: string,
  report: string | null,
): Promise<void> {
  await runner.check('start', () => `${Math.round(performance.now())} ms since the process began`)
  await checkSecrets(runner, secrets, async () => (await secrets.protection).notice)
  await runner.check('engine', async () => {
    const { promise, resolve } = Promise.withResolvers<Snapshot>()
    view.onSnapshot(resolve)
    return `version ${(await promise).version}`
  })
  await checkListener(runner, view)
  await checkCertificates(runner)
  await checkInterface(runner, window)
  const deliveryId = await checkDelivery(runner, view)
  await runner.check('delivery-in-interface', async (signal) => {
    if (deliveryId === null) throw new Error('There is no delivery to show.')
    await window.show(`${APP_URL}#/deliveries/${deliveryId}`)
    await waitFor(signal, async () => {
      const { deliveries } = await readPage(window)
      return deliveries.includes(`${deliveryId} valid`) ? true : null
    })
    return null
  })
  await checkThreads(runner, view, deliveryId, dataDir)
  await checkTls(runner, view, deliveryId)
  await checkAuthorization(runner, view, 'window', (_run, signal) => approve(window, signal))
  await checkSystem(runner, hasTray)
  await runner.check('updater', async () => {
    // The app loads it only to check for updates, so it would start even if the package lacked it.
    await import('./updates/updater.ts')
    return null
  })
  await checkCrashReports(runner)
  await runner.check('screenshot', async () => {
    const screenshot = await window.current?.webContents.capturePage()
    if (screenshot === undefined || screenshot.isEmpty())
      throw new Error('The screenshot is empty.')
    if (report === null) return null
    await writeFile(path.join(report, 'window.png'), screenshot.toPNG())
    return 'window.png'
  })
}

async function checkInterface(runner: SelfCheckRunner, window: InterfaceWindow): Promise<void> {
  await runner.check('window', async (signal) => {
    await window.show()
    await waitFor(signal, () => (window.current?.isVisible() === true ? true : null))
    return null
  })
  await runner.check('first-paint', async (signal) => {
    const painted = await waitFor(signal, async () => (await readPage(window)).painted)
    return `${Math.round(painted)} ms after the page began to load`
  })
  await runner.check('connection', async (signal) => {
    const { origin, connection } = await waitFor(signal, async () => {
      const page = await readPage(window)
      return page.connection === 'listening' ? page : null
    })
    if (origin !== `${APP_SCHEME}://${APP_HOST}`) throw new Error(`The page's origin is ${origin}.`)
    return connection
  })
}

const PageFacts = z.object({
  origin: z.string(),
  /** From the start of the load to the first contentful paint; null: not painted yet. */
  painted: z.number().nullable(),
  /** As the page shows the listener. */
  connection: z.string().nullable(),
  /** ID and signature verdict of each row. */
  deliveries: z.array(z.string()),
})

async function readPage(window: InterfaceWindow): Promise<z.infer<typeof PageFacts>> {
  const contents = window.current?.webContents
  if (contents === undefined) throw new Error('The window was closed.')
  return PageFacts.parse(
    await contents.executeJavaScript(`({
      origin: location.origin,
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
      connection: document.querySelector('[data-testid=reach-chip]')?.dataset.listener ?? null,
      deliveries: Array.from(
        document.querySelectorAll('[data-testid=delivery-row]'),
        ({ dataset }) => dataset.id + ' ' + dataset.verdict,
      ),
    })`),
  )
}

/** On the sandbox's page in the authorization window, once it has loaded. */
async function approve(window: InterfaceWindow, signal: AbortSignal): Promise<void> {
  await waitFor(signal, async () => {
    const contents = authorizationPage(window)
    if (contents === null || contents.isLoadingMainFrame()) return null
    // The click runs in a later task: it closes the page, which could then not return a result.
    const found: unknown = await contents.executeJavaScript(`(() => {
      const button = document.querySelector('button[value=approve]')
      if (button === null) return false
      setTimeout(() => button.click())
      return true
    })()`)
    return found === true ? true : null
  })
}

function authorizationPage(window: InterfaceWindow): WebContents | null {
  const page = BrowserWindow.getAllWindows().find((other) => other !== window.current)
  return page?.webContents ?? null
}

async function checkSystem(runner: SelfCheckRunner, hasTray: boolean): Promise<void> {
  await runner.check('menu', () => {
    const menu = Menu.getApplicationMenu()
    const missing = entries().filter(([name]) => !menu?.getMenuItemById(idOf(name)))
    if (missing.length > 0)
      throw new Error(`Missing in the menu: ${missing.map(([name]) => name).join(', ')}.`)
    return `${entries().length} commands`
  })
  await runner.check('tray', () => {
    if (!hasTray) throw new Error('The tray icon could not be created.')
    return null
  })
  await runner.check('protocol', () => {
    if (!protocol.isProtocolHandled(APP_SCHEME)) throw new Error(`${APP_SCHEME}: is not handled.`)
    return null
  })
  if (app.isDefaultProtocolClient('tabscope')) await runner.check('links', () => 'tabscope:')
  else
    runner.skip(
      'links',
      'tabscope: links do not open this build. An installed package registers them.',
    )
}
