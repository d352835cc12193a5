import { EventEmitter } from 'node:events'
import { assertReady } from './app.ts'
import type { NativeImage } from './images.ts'
import { chooseAt, seen, type Menu } from './menus.ts'
import { onWish } from './wishes.ts'

/** The one that is there. The test reads from stderr what it shows. */
let tray: Tray | undefined

export class Tray extends EventEmitter {
  menu: Menu | null = null

  constructor(image: NativeImage) {
    super()
    assertReady('Cannot create Tray')
    // A Linux without a service for trays: Electron makes one that nobody sees, and does not throw.
    // oxlint-disable-next-line typescript/no-this-alias -- the tray that the user sees
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

onWish('tray', ({ label }) => chooseAt('tray', tray?.menu ?? null, String(label)))
onWish('tray-click', () => void tray?.emit('click'))
