import { app, autoUpdater as system } from 'electron'
import {
  AppImageUpdater,
  type AppUpdater,
  autoUpdater,
  BaseUpdater,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
} from 'electron-updater'
import { relaunch, startAfterExit } from '../relaunch.ts'
import { placeOf, runsFromAppImage } from './appimage-place.ts'
import { whileHeard } from './download-timeout.ts'
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'

/** electron-updater removes the old file before it moves the new one: on a full disk nothing would be left. Here one takes the other's place. */
class ReplacedAppImage extends AppImageUpdater {
  #installed: string | null = null

  protected override doInstall(): boolean {
    const file = process.env['APPIMAGE']
    const fetched = this.installerPath
    if (file === undefined || fetched === null) throw new Error('Nothing was fetched.')
    const place = placeOf(file, fetched)
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
export function updaterHere(): AppUpdater | null {
  if (process.platform === 'linux') {
    if (runsFromAppImage(process.env, process.resourcesPath)) return new ReplacedAppImage()
    return autoUpdater instanceof DebUpdater ? autoUpdater : null
  }
  return autoUpdater.isUpdaterActive() ? autoUpdater : null
}

/** How the Tabscope of this update is installed and started. */
export interface Installation {
  /** What it is started with. */
  readonly args: readonly string[]
  /** Keeps `args` for its first start, where what starts it takes none. */
  readonly keepArguments: () => void
  /** Ends the engine. From then on the app only quits. */
  readonly letGo: () => Promise<void>
}

/**
 * Puts what was fetched in the place of this Tabscope, has it end, and starts the new one. What can be refused (a password, a signature, a full
 * disk) comes first: then it rejects with a sentence, and everything goes on as before.
 */
export async function installAndRestart(
  updater: AppUpdater,
  { args, keepArguments, letGo }: Installation,
): Promise<void> {
  if (updater instanceof MacUpdater) {
    await handOver()
    keepArguments()
    await letGo()
    // The engine has ended by now: where macOS refuses at last, this version starts again.
    system.once('error', () => {
      relaunch(args)
      app.quit()
    })
    updater.quitAndInstall()
  } else if (updater instanceof NsisUpdater) {
    keepArguments()
    // The installer ends by force what still runs.
    await letGo()
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
    await letGo()
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
    await whileHeard(HAND_OVER_MS, 'macOS did not take the update.', () => {
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
