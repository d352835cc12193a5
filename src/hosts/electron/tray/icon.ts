import { nativeImage, type NativeImage } from 'electron'
import path from 'node:path'
import type { TrayIcon } from './view.ts'

/** Where the picture of a state is, under the folder of the app. macOS colours a template itself, for a light and a dark bar. */
export function iconFile(icon: TrayIcon, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return `resources/tray/mac/${icon}Template.png`
    case 'win32':
      return `resources/tray/windows/${icon}.ico`
    default:
      return `resources/tray/linux/${icon}.png`
  }
}

/** `folder`: the app's, absolute. Finds the picture for the display's scale beside it by itself. */
export function iconOf(icon: TrayIcon, folder: string): NativeImage {
  return nativeImage.createFromPath(path.join(folder, iconFile(icon, process.platform)))
}
