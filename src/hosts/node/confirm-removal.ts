import { AppError } from '#engine/errors.ts'
import { globals } from './command-line/globals.ts'
import { confirms, say } from './output.ts'

/**
 * Whether something may be removed: `yes` is `--yes`; else a terminal is asked. `consequence` is a sentence that says what is deleted. Throws
 * `confirmation_required` where nobody can be asked, and `Interrupted`.
 */
export async function confirmRemoval(consequence: string, yes: boolean): Promise<boolean> {
  if (yes) return true
  if (globals.json || !process.stdin.isTTY) {
    throw new AppError('confirmation_required', `${consequence} To confirm: --yes`)
  }
  if (await confirms(`${consequence} Continue?`)) return true
  say('Nothing was removed.')
  return false
}
