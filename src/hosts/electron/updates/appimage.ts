import { AppImageUpdater } from 'electron-updater'
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { startAfterExit } from '../relaunch.ts'
import { placeOf } from './appimage-place.ts'

/** electron-updater removes the old file before it moves the new one: on a full disk nothing would be left. Here one takes the other's place. */
export class ReplacedAppImage extends AppImageUpdater {
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
