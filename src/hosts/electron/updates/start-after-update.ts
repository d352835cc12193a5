import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const NAME = 'start-after-update.json'
/** The updated app starts immediately; a later start is unrelated to the update. */
const VALID_MS = 15 * 60_000

const SavedStart = z.object({ version: z.string(), at: z.number(), args: z.array(z.string()) })

/**
 * The installers of Windows and macOS start the app without arguments. `userData`: the app's default folder; null: nothing is saved. `version`: the new
 * one. Throws the system's error.
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

/** `args`, preceded by the saved ones at the first start of `version`. Never throws: it runs before anything could report an error. */
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
