import { CancellationToken } from 'electron-updater'
import type { KeyObject } from 'node:crypto'
import type { Log } from '#engine/ports.ts'
import { judgeFound, type Release } from './found-release.ts'
import { installAndRestart, updaterHere, type Installation } from './installing.ts'
import { whileHeard } from './download-timeout.ts'

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
const silent = 'The release server does not answer. Try again later.'
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
      whileHeard(SILENCE_MS, silent, async (heard, signal) => {
        // It asks once at a time: without this a request that hangs would stand for all that come.
        signal.addEventListener('abort', () => void updater.netSession.closeAllConnections())
        const found = await updater.checkForUpdates()
        heard()
        return found?.isUpdateAvailable === true
          ? judgeFound(updater, found.updateInfo, key, signal)
          : null
      }),
    download: (progress) =>
      whileHeard(SILENCE_MS, stopped, async (heard, signal) => {
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
