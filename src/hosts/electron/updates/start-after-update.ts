import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const NAME = 'start-after-update.json'
/** How long saved arguments are valid, in milliseconds. The updated app starts immediately; a later start is unrelated to the update. */
const VALID_MS = 15 * 60_000

const SavedStart = z.object({ version: z.string(), at: z.number(), args: z.array(z.string()) })

/**
 * Saves the arguments for the first start after an update, since the installers of Windows and macOS start the app without any. `userData` is the app's default
 * folder, whichever data folder is used; if null, nothing is saved. `version` is the new version, `now` in milliseconds since the epoch. Throws the system's
 * error.
 */
export function saveArguments(
  userData: string | null,
  { version, args, now }: { version: string; args: readonly string[]; now: number },
): void {
  if (userData === null) return
  const file = path.join(userData, NAME)
  if (args.length === 0) rmSync(file, { force: true })
  else writeFileSync(file, JSON.stringify({ version, at: now, args }))
}

/**
 * The arguments for this start: `args`, preceded by the saved ones if this is the first start after an update to `version`. Never throws: it runs before
 * anything could report an error.
 */
export function withSavedArguments(
  args: readonly string[],
  userData: string | null,
  { version, now }: { version: string; now: number },
): string[] {
  if (userData === null) return [...args]
  const file = path.join(userData, NAME)
  const saved = read(file)
  if (saved === null) return [...args]
  const isOver = now - saved.at > VALID_MS || now < saved.at
  // The previous version was started again before the update.
  if (!isOver && saved.version !== version) return [...args]
  remove(file)
  if (isOver || args.includes('--data')) return [...args]
  return [...saved.args, ...args]
}

/** A file that another program has open cannot be removed; it expires. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // See above.
  }
}

function read(file: string): z.infer<typeof SavedStart> | null {
  try {
    return SavedStart.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
