import { clipboard, shell } from 'electron'
import { existsSync } from 'node:fs'
import type { SystemRequest } from './messages.ts'
import type { Updates } from '../updates/updates.ts'

/** What the engine asks of the system, and only main can do. Rejects with a sentence where it cannot. */
export function createDoSystem(
  logFile: string,
  updates: Updates,
): (wish: SystemRequest) => Promise<void> {
  return async (wish) => {
    if (typeof wish === 'object') {
      await clipboard.writeText(wish.copy)
      return
    }
    switch (wish) {
      case 'show-logs':
        // Of a file that is not there, a file manager shows nothing and says nothing.
        if (!existsSync(logFile)) {
          throw new Error(`There is no log: ${logFile} could not be written. The terminal has it.`)
        }
        shell.showItemInFolder(logFile)
        break
      case 'check-update':
      case 'download-update':
      case 'install-update':
        await updates.do(wish)
    }
  }
}
