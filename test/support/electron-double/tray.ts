import { EventEmitter } from 'node:events'
import { assertReady } from './app.ts'
import type { NativeImage } from './images.ts'
import { chooseAt, seen, type Menu } from './menus.ts'
import { onAction } from './actions.ts'

/** The current tray icon, reported on stderr for tests. */
let tray: Tray | undefined

export class Tray extends EventEmitter {
  menu: Menu | null = null

  constructor(image: NativeImage) {
    super()
    assertReady('Cannot create Tray')
    // On Linux without a tray service, Electron creates an invisible icon and does not throw.
    // oxlint-disable-next-line typescript/no-this-alias -- the current tray icon
    tray = this
    this.setImage(image)
  }

  setImage(image: NativeImage): void {
    process.stderr.write(`[tray] icon: ${image.file}\n`)
  }

  setToolTip(text: string): void {
    process.stderr.write(`[tray] tooltip: ${text.replaceAll('\n', ' / ')}\n`)
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu
    process.stderr.write(`[tray] menu: ${menu === null ? 'none' : seen(menu).join(' | ')}\n`)
  }

  destroy(): void {
    tray = undefined
  }

  isDestroyed(): boolean {
    return tray !== this
  }
}

onAction('tray', ({ label }) => chooseAt('tray', tray?.menu ?? null, String(label)))
onAction('tray-click', () => void tray?.emit('click'))
