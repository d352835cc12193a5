import { dialog, type BrowserWindow } from 'electron'
import path from 'node:path'
import type { FileDialogs } from '#engine/platform/ports.ts'

const eventLogs = { name: 'Event logs', extensions: ['tabscope', 'ndjson', 'har', 'gz'] }
const allFiles = { name: 'All files', extensions: ['*'] }

/** The system's file dialogs, attached to the interface window if there is one. */
export function createFileDialogs(currentWindow: () => BrowserWindow | undefined): FileDialogs {
  return {
    async save(name) {
      const options = {
        // Reduced to a file name: the user chooses the folder.
        defaultPath: path.basename(name),
        properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
      }
      const window = currentWindow()
      const { canceled, filePath } = await (window === undefined
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(window, options))
      return canceled || filePath === '' ? null : filePath
    },
    async open() {
      const options = { filters: [eventLogs, allFiles], properties: ['openFile' as const] }
      const window = currentWindow()
      const { canceled, filePaths } = await (window === undefined
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(window, options))
      return canceled ? null : (filePaths[0] ?? null)
    },
  }
}
