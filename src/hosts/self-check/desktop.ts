import { app } from 'electron'
import { writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readDuration } from '#contract/filter/values.ts'
import { messageOf } from '#shared/text/errors.ts'
import { APP_URL } from '../electron/app-url.ts'
import type { EngineView } from '../electron/engine/view.ts'
import type { SystemSecrets } from '../electron/secrets.ts'
import type { InterfaceWindow } from '../electron/window/interface-window.ts'
import { SelfCheck, waitFor, type SelfCheckLine } from './self-check.ts'

interface CheckedApp {
  readonly view: EngineView
  readonly window: InterfaceWindow
  readonly secrets: SystemSecrets
  readonly hasTray: boolean
  readonly closeEngine: () => Promise<void>
}

/** `--self-check` of the desktop app: shows no dialogs, prints JSON lines, and exits with 0 or 1. */
class DesktopSelfCheck extends SelfCheck {
  /** They replace those of the process. The system chooses the port, since another Tabscope may be listening. */
  readonly args: readonly string[] = ['--data', this.dataDir, '--port', '0']

  /** Tabscope cannot start or continue. */
  abort(reason: unknown): void {
    this.report('start', 'failed', messageOf(reason))
    this.#exit()
  }

  async runIn({ view, window, secrets, hasTray, closeEngine }: CheckedApp): Promise<void> {
    await this.run({
      secrets,
      protection: async () => (await secrets.protection).notice,
      openEngine: () => new Promise((resolve) => view.onSnapshot(() => resolve(view))),
      checkHost: async (deliveryId) => checkDesktop(this, window, hasTray, deliveryId),
      closeEngine,
    })
    this.#exit()
  }

  /** Immediately, so that nothing can keep the process from ending. */
  #exit(): void {
    const { electron, chrome, node } = process.versions
    const facts = { electron, chromium: chrome, node, packaged: app.isPackaged }
    app.exit(this.finish({ version: app.getVersion(), ...facts }))
  }
}

/** Null without `--self-check`. `--report DIR` also gets a screenshot. */
export function openSelfCheck(args: readonly string[]): DesktopSelfCheck | null {
  const options = { report: { type: 'string' }, timeout: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...args], strict: false, allowPositionals: true, options })
  if (!args.includes('--self-check')) return null
  const folder = typeof values.report === 'string' ? path.resolve(values.report) : null
  const timeout = typeof values.timeout === 'string' ? readDuration(values.timeout) : null
  try {
    const selfCheck = new DesktopSelfCheck(print, folder, timeout ?? undefined)
    app.on('before-quit', () => selfCheck.abort('Tabscope was closed before the self-check ended.'))
    return selfCheck
  } catch (error) {
    // Otherwise the process would not end.
    process.stderr.write(`${messageOf(error)}\n`)
    app.exit(1)
    return null
  }
}

function print(line: SelfCheckLine): void {
  try {
    writeSync(1, `${JSON.stringify(line)}\n`)
  } catch {
    // A program with windows may have no stdout on Windows. The report has the line.
  }
}

async function checkDesktop(
  run: SelfCheck,
  window: InterfaceWindow,
  hasTray: boolean,
  deliveryId: number,
): Promise<void> {
  await run.check('window', async (signal) => {
    await window.show(`${APP_URL}#/deliveries/${deliveryId}`)
    const row = `[data-testid=delivery-row][data-id="${deliveryId}"][data-verdict=valid]`
    const script = `document.querySelector('[data-listener=listening]') && document.querySelector('${row}')
      && (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null)`
    const painted = await waitFor(signal, async () => {
      const found: unknown = await window.current?.webContents.executeJavaScript(script)
      return typeof found === 'number' ? found : null
    })
    return `It shows the delivery. First paint after ${Math.round(painted)} ms.`
  })
  await run.check('screenshot', async () => {
    const picture = await window.current?.webContents.capturePage()
    if (picture === undefined || picture.isEmpty()) throw new Error('The screenshot is empty.')
    if (run.folder === null) return null
    await writeFile(path.join(run.folder, 'window.png'), picture.toPNG(), { flag: 'wx' })
    return 'window.png'
  })
  await run.check('tray', () => {
    if (!hasTray) throw new Error('The tray icon could not be created.')
    return null
  })
  if (app.isDefaultProtocolClient('tabscope')) await run.check('links', () => 'tabscope:')
  else run.report('links', 'skipped', 'Links do not open this build, but an installed package.')
}
