import { nativeImage, type NativeImage } from 'electron'
import path from 'node:path'
import { iconFile } from './icon-file.ts'
import type { TrayIcon } from './view.ts'

/** `folder`: the app's, absolute. Finds the picture for the display's scale beside it by itself. */
export function iconOf(icon: TrayIcon, folder: string): NativeImage {
  return nativeImage.createFromPath(path.join(folder, iconFile(icon, process.platform)))
}
