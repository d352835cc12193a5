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
import { app, autoUpdater as nativeUpdater } from 'electron'
import { relaunch, startAfterExit } from '../relaunch.ts'
import { installPath, runsFromAppImage } from './installation.ts'
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'

/** electron-updater removes the old file before it moves the new one, so a full disk would leave neither. This class replaces the file with one rename. */
class ReplacedAppImage extends AppImageUpdater {
  #installed: string | null = null

  protected override doInstall(): boolean {
    const file = process.env['APPIMAGE']
    const downloaded = this.installerPath
    if (file === undefined || downloaded === null) throw new Error('No update was downloaded.')
    const target = installPath(file, downloaded)
    const temporary = `${target}.new`
    try {
      copyFileSync(downloaded, temporary)
      chmodSync(temporary, 0o755)
      renameSync(temporary, target)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
    if (target !== file) rmSync(file, { force: true })
    this.#installed = target
    return true
  }

  startInstalled(args: readonly string[]): void {
    if (this.#installed === null) throw new Error('No update was installed.')
    startAfterExit(this.#installed, args, { APPIMAGE_SILENT_INSTALL: 'true' })
  }
}

/** For macOS to unpack an update and check its signature. */
const STAGE_MS = 3 * 60_000

/** Null if the app cannot replace itself. AppImage and deb are built from the same folder, so electron-updater may find the marker of a deb in an AppImage. */
function findUpdater(): AppUpdater | null {
  if (process.platform === 'linux') {
    if (runsFromAppImage(process.env, process.resourcesPath)) return new ReplacedAppImage()
    return autoUpdater instanceof DebUpdater ? autoUpdater : null
  }
  return autoUpdater.isUpdaterActive() ? autoUpdater : null
}

interface Installation {
  readonly args: readonly string[]
  /** For the first start, if the installer starts the app without arguments. */
  readonly saveArguments: () => void
  /** After that, the app can only quit. */
  readonly shutDown: () => Promise<void>
}

/** Steps that can be refused (a password, a signature, a full disk) come first: then it rejects with a sentence, and the app keeps running. */
async function installAndRestart(
  updater: AppUpdater,
  { args, saveArguments, shutDown }: Installation,
): Promise<void> {
  if (updater instanceof MacUpdater) {
    await stageForMac()
    saveArguments()
    await shutDown()
    // The engine is closed by now, so if macOS refuses the update at this point, this version starts again.
    nativeUpdater.once('error', () => {
      relaunch(args)
      app.quit()
    })
    updater.quitAndInstall()
  } else if (updater instanceof NsisUpdater) {
    saveArguments()
    // The installer ends running processes by force.
    await shutDown()
    try {
      runInstaller(updater, true)
    } catch (error) {
      app.relaunch()
      throw error
    } finally {
      app.quit()
    }
  } else if (updater instanceof BaseUpdater) {
    runInstaller(updater, false)
    await shutDown()
    try {
      if (updater instanceof ReplacedAppImage) updater.startInstalled(args)
      else relaunch(args)
    } finally {
      app.quit()
    }
  }
}

/** macOS replaces apps itself, and compares the signature of the file with that of this app. */
async function stageForMac(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  nativeUpdater.once('update-downloaded', () => resolve())
  nativeUpdater.once('error', reject)
  try {
    await withIdleTimeout(STAGE_MS, 'macOS did not accept the update.', () => {
      nativeUpdater.checkForUpdates()
      return promise
    })
  } finally {
    nativeUpdater.off('error', reject)
  }
}

/** `install` returns only whether it succeeded; the reason is emitted as an event. */
function runInstaller(updater: BaseUpdater, start: boolean): void {
  let reason: Error | null = null
  const onError = (error: Error): void => {
    reason = error
  }
  updater.on('error', onError)
  try {
    if (!updater.install(true, start))
      throw reason ?? new Error('The update could not be installed.')
  } finally {
    updater.off('error', onError)
    // Otherwise the next attempt would do nothing.
    updater['quitAndInstallCalled'] = false
  }
}

/** Downloads only releases whose signature was verified, and does not wait for a server without limit. */
export interface Updater {
  /** Null: there is no newer release. Rejects with a sentence. */
  check(): Promise<Release | null>
  /** What `check` has found. `fraction`: 0 to 1. */
  download(progress: (fraction: number) => void): Promise<void>
  /** See `installAndRestart`. */
  install(installation: Installation): Promise<void>
}

/** Chromium itself has no limit for a server that sends nothing. */
const IDLE_MS = 60_000
const noResponse = 'The release server does not respond. Try again later.'
const stalled = 'The release server stopped sending. Try again later.'

/** Null if this app was installed in a way in which it cannot replace itself. */
export function openUpdater(key: KeyObject, log: Log): Updater | null {
  const updater = findUpdater()
  if (updater === null) return null
  updater.logger = {
    info: (message: unknown) => log.info(`Updater: ${String(message)}`),
    warn: (message: unknown) => log.warn(`Updater: ${String(message)}`),
    error: (message: unknown) => log.warn(`Updater: ${String(message)}`),
  }
  updater.autoDownload = false
  // Quitting or logging off must not install an update: a deb would ask for a password, and a shutdown would interrupt the installation.
  updater.autoInstallOnAppQuit = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  // The parts of a web installer are downloaded without a digest.
  updater.disableWebInstaller = true
  // There are no staged rollouts, so installations need no identifier.
  updater.isUserWithinRollout = () => true
  updater.requestHeaders = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }
  // Each failure also rejects the call.
  updater.on('error', () => undefined)

  return {
    check: () =>
      withIdleTimeout(IDLE_MS, noResponse, async (onProgress, signal) => {
        // Checks are shared while one is running: without this, all later checks would wait for a request that hangs.
        signal.addEventListener('abort', () => void updater.netSession.closeAllConnections())
        const found = await updater.checkForUpdates()
        onProgress()
        return found?.isUpdateAvailable === true
          ? inspectRelease(updater, found.updateInfo, key, signal)
          : null
      }),
    download: (progress) =>
      withIdleTimeout(IDLE_MS, stalled, async (onProgress, signal) => {
        const token = new CancellationToken()
        signal.addEventListener('abort', () => token.cancel())
        const onDownloadProgress = ({ percent }: { percent: number }): void => {
          onProgress()
          progress(percent / 100)
        }
        updater.on('download-progress', onDownloadProgress)
        try {
          await updater.downloadUpdate(token)
        } finally {
          updater.off('download-progress', onDownloadProgress)
        }
      }),
    install: (installation) => installAndRestart(updater, installation),
  }
}

/** Each call of `onProgress` restarts the time limit. When it expires, `signal` is aborted, and the promise rejects with `message`, whether `work` ends or not. */
async function withIdleTimeout<Result>(
  ms: number,
  message: string,
  work: (onProgress: () => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timedOut = Promise.withResolvers<never>()
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onProgress = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timedOut.reject(new Error(message))
      abort.abort()
    }, ms)
  }
  onProgress()
  try {
    return await Promise.race([work(onProgress, abort.signal), timedOut.promise])
  } finally {
    clearTimeout(timer)
  }
}
