import { shell } from 'electron'
import type { SystemWish } from './messages.ts'
import type { Updates } from '../updates/updates.ts'

/** What the engine asks of the system, and only main can do. Rejects with a sentence where it cannot. */
export function createDoSystem(
  logFile: string,
  updates: Updates,
): (wish: SystemWish) => Promise<void> {
  return async (wish) => {
    switch (wish) {
      case 'show-logs':
        shell.showItemInFolder(logFile)
        break
      case 'check-update':
      case 'download-update':
      case 'install-update':
        await updates.do(wish)
    }
  }
}
