import {
  CancellationToken,
  AppImageUpdater,
  type AppUpdater,
  autoUpdater,
  BaseUpdater,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
} from 'electron-updater'
import type { KeyObject } from 'node:crypto'
import type { Log } from '#engine/platform/ports.ts'
import { inspectRelease, type Release } from './found-release.ts'
import { app, autoUpdater as system } from 'electron'
import { relaunch, startAfterExit } from '../relaunch.ts'
import { installPath, runsFromAppImage } from './installation.ts'
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'

/** electron-updater removes the old file before it moves the new one: on a full disk nothing would be left. Here one takes the other's place. */
class ReplacedAppImage extends AppImageUpdater {
  #installed: string | null = null

  protected override doInstall(): boolean {
    const file = process.env['APPIMAGE']
    const fetched = this.installerPath
    if (file === undefined || fetched === null) throw new Error('Nothing was fetched.')
    const place = installPath(file, fetched)
    const beside = `${place}.new`
    try {
      copyFileSync(fetched, beside)
      chmodSync(beside, 0o755)
      renameSync(beside, place)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
    if (place !== file) rmSync(file, { force: true })
    this.#installed = place
    return true
  }

  /** Starts what was installed when this one has ended. */
  startInstalled(args: readonly string[]): void {
    if (this.#installed === null) throw new Error('Nothing was installed.')
    startAfterExit(this.#installed, args, { APPIMAGE_SILENT_INSTALL: 'true' })
  }
}

/** How long (ms) macOS may take to unpack an update and to check whose it is. */
const HAND_OVER_MS = 3 * 60_000

/**
 * electron-updater for the way in which this app was installed; null: it cannot replace itself. On Linux its own choice is not taken: AppImage and
 * deb are made from one folder, so an AppImage may hold the mark of a deb.
 */
function updaterHere(): AppUpdater | null {
  if (process.platform === 'linux') {
    if (runsFromAppImage(process.env, process.resourcesPath)) return new ReplacedAppImage()
    return autoUpdater instanceof DebUpdater ? autoUpdater : null
  }
  return autoUpdater.isUpdaterActive() ? autoUpdater : null
}

/** How the Tabscope of this update is installed and started. */
interface Installation {
  /** What it is started with. */
  readonly args: readonly string[]
  /** Keeps `args` for its first start, where what starts it takes none. */
  readonly keepArguments: () => void
  /** Ends the engine. From then on the app only quits. */
  readonly shutDown: () => Promise<void>
}

/**
 * Puts what was fetched in the place of this Tabscope, has it end, and starts the new one. What can be refused (a password, a signature, a full
 * disk) comes first: then it rejects with a sentence, and everything goes on as before.
 */
async function installAndRestart(
  updater: AppUpdater,
  { args, keepArguments, shutDown }: Installation,
): Promise<void> {
  if (updater instanceof MacUpdater) {
    await handOver()
    keepArguments()
    await shutDown()
    // The engine has ended by now: where macOS refuses at last, this version starts again.
    system.once('error', () => {
      relaunch(args)
      app.quit()
    })
    updater.quitAndInstall()
  } else if (updater instanceof NsisUpdater) {
    keepArguments()
    // The installer ends by force what still runs.
    await shutDown()
    try {
      put(updater, true)
    } catch (error) {
      app.relaunch()
      throw error
    } finally {
      app.quit()
    }
  } else if (updater instanceof BaseUpdater) {
    put(updater, false)
    await shutDown()
    try {
      if (updater instanceof ReplacedAppImage) updater.startInstalled(args)
      else relaunch(args)
    } finally {
      app.quit()
    }
  }
}

/** macOS replaces apps itself. It takes the file over and compares who signed it with who signed this one. */
async function handOver(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  system.once('update-downloaded', () => resolve())
  system.once('error', reject)
  try {
    await withIdleTimeout(HAND_OVER_MS, 'macOS did not accept the update.', () => {
      system.checkForUpdates()
      return promise
    })
  } finally {
    system.off('error', reject)
  }
}

/** `install` answers no more than whether it went well: why is told as an event. */
function put(updater: BaseUpdater, start: boolean): void {
  let why: Error | null = null
  const note = (error: Error): void => {
    why = error
  }
  updater.on('error', note)
  try {
    if (!updater.install(true, start)) throw why ?? new Error('The update could not be installed.')
  } finally {
    updater.off('error', note)
    // Left as it is, it would not try again.
    updater['quitAndInstallCalled'] = false
  }
}

/** electron-updater, with what it lacks: nothing is fetched whose signature was not checked, and no server is waited for without end. */
export interface Updater {
  /** Null: there is none that is newer. Rejects with a sentence. */
  check(): Promise<Release | null>
  /** Fetches the release that `check` has found; `progress` gets the share that is here, 0 to 1. */
  download(progress: (share: number) => void): Promise<void>
  /** Puts what was fetched in the place of this app and starts it, see `installAndRestart`. */
  install(installation: Installation): Promise<void>
}

/** How long (ms) a release server may be silent. Chromium itself would wait for ever. */
const SILENCE_MS = 60_000
const silent = 'The release server does not respond. Try again later.'
const stopped = 'The release server stopped sending. Try again later.'

/** Makes electron-updater ready. Null: this app was not installed in a way in which it could replace itself. */
export function openUpdater(key: KeyObject, log: Log): Updater | null {
  const updater = updaterHere()
  if (updater === null) return null
  updater.logger = {
    info: (message: unknown) => log.info(`Updater: ${String(message)}`),
    warn: (message: unknown) => log.warn(`Updater: ${String(message)}`),
    error: (message: unknown) => log.warn(`Updater: ${String(message)}`),
  }
  updater.autoDownload = false
  // Whoever quits, or logs off, did not ask for an update: a deb would want a password, and a computer that goes down would end it half way.
  updater.autoInstallOnAppQuit = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  // Its parts are fetched without a digest of their own.
  updater.disableWebInstaller = true
  // Everybody gets a release at once, so nobody need be told apart from others.
  updater.isUserWithinRollout = () => true
  updater.requestHeaders = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }
  // Each failure rejects what was asked as well.
  updater.on('error', () => undefined)

  return {
    check: () =>
      withIdleTimeout(SILENCE_MS, silent, async (heard, signal) => {
        // It asks once at a time: without this a request that hangs would stand for all that come.
        signal.addEventListener('abort', () => void updater.netSession.closeAllConnections())
        const found = await updater.checkForUpdates()
        heard()
        return found?.isUpdateAvailable === true
          ? inspectRelease(updater, found.updateInfo, key, signal)
          : null
      }),
    download: (progress) =>
      withIdleTimeout(SILENCE_MS, stopped, async (heard, signal) => {
        const token = new CancellationToken()
        signal.addEventListener('abort', () => token.cancel())
        const tell = ({ percent }: { percent: number }): void => {
          heard()
          progress(percent / 100)
        }
        updater.on('download-progress', tell)
        try {
          await updater.downloadUpdate(token)
        } finally {
          updater.off('download-progress', tell)
        }
      }),
    install: (installation) => installAndRestart(updater, installation),
  }
}

/**
 * Waits for `work` as long as something is heard of it: `heard` begins the time (ms) anew. After so long a silence `signal` is aborted, by which
 * `work` gives back what it holds, and the wait rejects with `sentence`, whether or not `work` ever ends.
 */
async function withIdleTimeout<Result>(
  ms: number,
  sentence: string,
  work: (heard: () => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const silent = Promise.withResolvers<never>()
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      silent.reject(new Error(sentence))
      over.abort()
    }, ms)
  }
  heard()
  try {
    return await Promise.race([work(heard, over.signal), silent.promise])
  } finally {
    clearTimeout(timer)
  }
}
