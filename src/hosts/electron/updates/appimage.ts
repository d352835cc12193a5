import { AppImageUpdater } from 'electron-updater'
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'
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

  /** Starts what was installed, beside this one. */
  startInstalled(args: readonly string[]): void {
    if (this.#installed === null) throw new Error('Nothing was installed.')
    const env = { ...process.env, APPIMAGE_SILENT_INSTALL: 'true' }
    const child = spawn(this.#installed, args, { env, detached: true, stdio: 'ignore' })
    child.on('error', (error) => this.emit('error', error))
    child.unref()
  }
}
