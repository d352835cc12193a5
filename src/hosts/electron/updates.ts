import { app } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { UpdateState } from '#contract/desktop.ts'
import type { Settings } from '#contract/models.ts'
import type { Log } from '#engine/platform/ports.ts'
import { messageOf, systemCodeOf, systemReason } from '#shared/text/errors.ts'
import type { EngineView } from './engine/view.ts'
import { runsFromAppImage } from './app-image.ts'

const FIRST_CHECK_MS = 30_000
const CHECK_EVERY_MS = 6 * 60 * 60_000
const PROGRESS_MS = 250

interface Options {
  readonly view: Pick<EngineView, 'on' | 'onSnapshot'>
  readonly log: Log
  readonly changed: (state: UpdateState) => void
}

/**
 * Checks and downloads as the settings say. electron-updater compares a download with the digest in the description of the release, macOS and Windows compare
 * its certificate with that of this app. It is installed when the app quits, which asks first while something runs, and closes the engine before.
 */
export class Updates {
  readonly #options: Options
  #updater: AppUpdater | null = null
  #setting: Settings['updates'] = 'off'
  #state: UpdateState

  constructor(options: Options) {
    this.#options = options
    if (!app.isPackaged) {
      const reason = 'Tabscope was started from its source code. Update the source code instead.'
      this.#state = { state: 'unavailable', reason }
      return
    }
    this.#state = { state: 'idle', checkedAt: null }
    options.view.onSnapshot(({ settings }) => this.#applySettings(settings))
    options.view.on('settings.changed', (settings) => this.#applySettings(settings))
    const check = (): void => {
      if (this.#setting !== 'off') void this.check()
    }
    setTimeout(check, FIRST_CHECK_MS).unref()
    setInterval(check, CHECK_EVERY_MS).unref()
  }

  get state(): UpdateState {
    return this.#state
  }

  /** The result is the state. Does nothing while an update is downloaded, or waits for the end of the app. */
  async check(): Promise<void> {
    if (!['idle', 'available', 'failed'].includes(this.#state.state)) return
    this.#setState({ state: 'checking' })
    try {
      const updater = (this.#updater ??= await openUpdater(this.#options.log))
      const found = await updater.checkForUpdates()
      if (found?.isUpdateAvailable !== true) {
        return this.#setState({ state: 'idle', checkedAt: Date.now() })
      }
      this.#setState({ state: 'available', version: found.updateInfo.version })
      if (this.#setting === 'download') await this.download()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Throws a sentence if there is nothing to download. */
  async download(): Promise<void> {
    const updater = this.#updater
    if (this.#state.state !== 'available' || updater === null) {
      throw new Error('Check for updates first.')
    }
    const { version } = this.#state
    this.#setState({ state: 'downloading', version, share: 0 })
    let reportedAt = 0
    const onProgress = ({ percent }: { percent: number }): void => {
      if (Date.now() - reportedAt < PROGRESS_MS) return
      reportedAt = Date.now()
      this.#setState({ state: 'downloading', version, share: percent / 100 })
    }
    updater.on('download-progress', onProgress)
    try {
      await updater.downloadUpdate()
      this.#setState({ state: 'ready', version })
    } catch (error) {
      this.#failed(error)
    } finally {
      updater.off('download-progress', onProgress)
    }
  }

  #applySettings({ updates }: Settings): void {
    this.#setting = updates
    if (updates === 'download' && this.#state.state === 'available') void this.download()
  }

  #failed(error: unknown): void {
    this.#setState({ state: 'failed', message: describeUpdateError(error) })
  }

  #setState(next: UpdateState): void {
    this.#state = next
    this.#options.changed(next)
  }
}

async function openUpdater(log: Log): Promise<AppUpdater> {
  const { AppImageUpdater, autoUpdater } = await import('electron-updater')
  // The builder packs AppImage and deb from one folder, so an AppImage may contain the marker by which electron-updater recognizes a deb.
  const updater = runsFromAppImage(process.env, process.resourcesPath)
    ? new AppImageUpdater()
    : autoUpdater
  updater.logger = {
    info: (message: unknown) => log.info(`Updater: ${String(message)}`),
    warn: (message: unknown) => log.warn(`Updater: ${String(message)}`),
    error: (message: unknown) => log.warn(`Updater: ${String(message)}`),
  }
  updater.autoDownload = false
  // The parts of a web installer are downloaded without a digest.
  updater.disableWebInstaller = true
  // Otherwise each request would identify this installation, for staged rollouts, which we do not have.
  updater.requestHeaders = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }
  return updater
}

/** A sentence. Of a library, the first line: the others are headers or a stack. */
export function describeUpdateError(error: unknown): string {
  const unreachable = 'Could not reach the release server. Check the connection, then try again.'
  if (systemCodeOf(error) === 'ENOSPC') return `The update was not stored. ${systemReason(error)}`
  const [line = ''] = messageOf(error).trim().split('\n')
  // Of Chromium's network and of the system, for programmers.
  return line === '' || /^(?:net::|E[A-Z]{3})/.test(line) ? unreachable : line.slice(0, 300)
}
