import { app } from 'electron'
import path from 'node:path'

/** What the system's own panel says, where there is one. The versions to copy are in the interface's (`about`). */
export function setAboutPanel(): void {
  app.setAboutPanelOptions({
    applicationName: 'Tabscope',
    applicationVersion: app.getVersion(),
    version: `Electron ${process.versions.electron}`,
    copyright: 'Copyright © The Tabscope authors',
    iconPath: path.join(app.getAppPath(), 'resources/tray/linux/listening@2x.png'),
  })
}
