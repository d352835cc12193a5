import { dialog, shell, type BrowserWindow } from 'electron'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { isHttp } from '#shared/text/address.ts'
import { findProgram } from '#engine/receiving/tunnel/program/find.ts'
import type { FileDialogs } from '#engine/platform/ports.ts'

/** In the system's browser. False for a URL that is not HTTP or HTTPS, or if no browser could be opened. */
export async function openExternal(address: string): Promise<boolean> {
  const url = URL.parse(address)
  // Any other scheme could start a program with content of the URL.
  if (url === null || !isHttp(url)) return false
  // On Linux Electron reports success as soon as it has forked, even if the program does not exist.
  if (process.platform === 'linux' && (await findProgram('xdg-open', process.env)) === null)
    return false
  try {
    await shell.openExternal(url.href)
    return true
  } catch {
    return false
  }
}

/** Throws a sentence if there is no log: a file manager would show neither the file nor an error. */
export function showInFolder(logFile: string): void {
  if (!existsSync(logFile)) {
    throw new Error(
      `There is no log file: ${logFile} could not be written. See the output on the terminal.`,
    )
  }
  shell.showItemInFolder(logFile)
}

const eventLogs = { name: 'Event logs', extensions: ['tabscope', 'ndjson', 'har', 'json', 'gz'] }
const allFiles = { name: 'All files', extensions: ['*'] }

/** Attached to the interface window if there is one. `opened` gets the selected files. */
export function createFileDialogs(
  currentWindow: () => BrowserWindow | undefined,
  opened: (files: readonly string[]) => void,
): FileDialogs {
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
      if (canceled) return null
      opened(filePaths)
      return filePaths[0] ?? null
    },
  }
}
