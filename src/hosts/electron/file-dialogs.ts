import { dialog, type BrowserWindow } from 'electron'
import path from 'node:path'
import type { FileDialogs } from '#engine/platform/ports.ts'

const eventLogs = { name: 'Event logs', extensions: ['tabscope', 'ndjson', 'har', 'gz'] }
const allFiles = { name: 'All files', extensions: ['*'] }

/** The system's dialogs, over the interface's window where there is one. */
export function createFileDialogs(parent: () => BrowserWindow | undefined): FileDialogs {
  return {
    async save(name) {
      const options = {
        // A name, whatever it was asked with: the user chooses the folder.
        defaultPath: path.basename(name),
        properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
      }
      const over = parent()
      const { canceled, filePath } = await (over === undefined
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(over, options))
      return canceled || filePath === '' ? null : filePath
    },
    async open() {
      const options = { filters: [eventLogs, allFiles], properties: ['openFile' as const] }
      const over = parent()
      const { canceled, filePaths } = await (over === undefined
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(over, options))
      return canceled ? null : (filePaths[0] ?? null)
    },
  }
}
