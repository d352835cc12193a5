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
