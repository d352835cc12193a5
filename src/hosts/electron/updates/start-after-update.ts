import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const NAME = 'start-after-update.json'
/** The updated app starts at once. A later start has nothing to do with the update. */
const VALID_MS = 15 * 60_000

const Kept = z.object({ version: z.string(), at: z.number(), args: z.array(z.string()) })

/**
 * Keeps what the updated Tabscope is to be started with: the installers of Windows and macOS start it without arguments. `userData` is the app's
 * own folder, whichever data folder is in use; null where there is none, and nothing is kept. `version` is that of the update, `now` in
 * milliseconds since the epoch. Throws the system's error.
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
 * The arguments for this start: those given, and where it is the first after an update to `version`, those that were kept before them. Never
 * throws: it runs before anything could report an error.
 */
export function withSavedArguments(
  given: readonly string[],
  userData: string | null,
  { version, now }: { version: string; now: number },
): string[] {
  if (userData === null) return [...given]
  const file = path.join(userData, NAME)
  const kept = read(file)
  if (kept === null) return [...given]
  const isOver = now - kept.at > VALID_MS || now < kept.at
  // Another start of the version before is none of its business.
  if (!isOver && kept.version !== version) return [...given]
  remove(file)
  if (isOver || given.includes('--data')) return [...given]
  return [...kept.args, ...given]
}

/** One that another program holds open stays, and is over in a while. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // See above.
  }
}

function read(file: string): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
