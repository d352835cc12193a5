import { net } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import type { KeyObject } from 'node:crypto'
import path from 'node:path'
import type { Log } from '#engine/ports.ts'
import { distrustOf } from './signed-sums.ts'

/** A release that is newer than this Tabscope. */
export interface Release {
  readonly version: string
  /** Where people read about it, an https address; empty where that is not known. */
  readonly page: string
  /** Why it must not be fetched, as a sentence; null: its files are signed. */
  readonly distrust: string | null
}

/** electron-updater, with what it lacks: nothing is fetched whose signature was not checked. */
export interface Updater {
  /** Null: there is none that is newer. Rejects with a sentence. */
  check(): Promise<Release | null>
  /** Fetches the release that `check` has found; `progress` gets the share that is here, 0 to 1. */
  download(progress: (share: number) => void): Promise<void>
  /** Replaces the app and starts it. The engine has ended by now. */
  installAndRestart(): void
}

/** The largest list of digests or signature that is read, in bytes. */
const LONGEST = 256 * 1024

/** Loads electron-updater. Null: this app was not installed in a way in which it could replace itself. */
export async function openUpdater(key: KeyObject, log: Log): Promise<Updater | null> {
  const { autoUpdater } = await import('electron-updater')
  if (!autoUpdater.isUpdaterActive()) return null
  autoUpdater.logger = {
    info: (message: unknown) => log.info(`Updater: ${String(message)}`),
    warn: (message: unknown) => log.warn(`Updater: ${String(message)}`),
    error: (message: unknown) => log.warn(`Updater: ${String(message)}`),
  }
  autoUpdater.autoDownload = false
  autoUpdater.allowPrerelease = false
  // Its parts are fetched without a digest of their own.
  autoUpdater.disableWebInstaller = true
  // Everybody gets a release at once, so nobody need be told apart from others.
  autoUpdater.isUserWithinRollout = () => true
  autoUpdater.requestHeaders = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }
  // Each failure rejects what was asked as well.
  autoUpdater.on('error', () => undefined)

  return {
    async check() {
      const found = await autoUpdater.checkForUpdates()
      if (!found?.isUpdateAvailable) return null
      const { version } = found.updateInfo
      const distrust = await distrustOfFound(autoUpdater, found.updateInfo, key)
      return { version, page: pageOf(autoUpdater, found.updateInfo), distrust }
    },
    async download(progress) {
      const tell = ({ percent }: { percent: number }): void => progress(percent / 100)
      autoUpdater.on('download-progress', tell)
      try {
        await autoUpdater.downloadUpdate()
      } finally {
        autoUpdater.off('download-progress', tell)
      }
    },
    installAndRestart: () => autoUpdater.quitAndInstall(true, true),
  }
}

async function distrustOfFound(
  updater: AppUpdater,
  info: UpdateInfo,
  key: KeyObject,
): Promise<string | null> {
  const [first] = addressesOf(updater, info)
  if (first === undefined) return 'This release names no files.'
  const [sums, signature] = await Promise.all([
    read(new URL('SHA512SUMS', first)),
    read(new URL('SHA512SUMS.sig', first)),
  ])
  const files = info.files.map(({ url, sha512 }) => ({
    name: path.posix.basename(decodeURIComponent(url)),
    sha512,
  }))
  return distrustOf(
    { version: info.version, files },
    { sums, signature: Buffer.from(signature).toString('utf8'), key },
  )
}

/** Where the files of the release are. */
function addressesOf(updater: AppUpdater, info: UpdateInfo): URL[] {
  const provider = updater['updateInfoAndProvider']?.provider
  return provider?.resolveFiles(info).map(({ url }) => url) ?? []
}

/** `https://github.com/<owner>/<name>/releases/download/v1.2.3/…` is read about at `…/releases/tag/v1.2.3`. */
function pageOf(updater: AppUpdater, info: UpdateInfo): string {
  const [first] = addressesOf(updater, info)
  if (first?.protocol !== 'https:') return ''
  const folder = new URL('.', first).href
  return folder.replace(/\/releases\/download\/([^/]+)\/$/, '/releases/tag/$1')
}

async function read(url: URL): Promise<Uint8Array> {
  const response = await net.fetch(url.href, { credentials: 'omit', cache: 'no-store' })
  const name = path.posix.basename(url.pathname)
  if (!response.ok) throw new Error(`The release has no ${name} (HTTP ${response.status}).`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength > LONGEST) throw new Error(`The ${name} of the release is too long.`)
  return bytes
}
