import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { inspect } from 'node:util'
import type { Log } from '#engine/ports.ts'
import { printable } from './printable.ts'

/** At this size (bytes) the file is set aside at the next start, and the one before it is forgotten. */
const ROTATE_AT = 5 * 1024 * 1024

/** Where the log of a data folder is. */
export function logFileIn(dataDir: string): string {
  return path.join(dataDir, 'tabscope.log')
}

/**
 * Writes to `<dataDir>/tabscope.log` and to stderr: a packaged app has no terminal, and a terminal wants to see it.
 * Control characters are escaped, since parts of a line may come from a hostile request.
 */
export function openLog(dataDir: string): Log {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = logFileIn(dataDir)
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_AT) {
    renameSync(file, `${file}.1`)
  }

  function write(level: string, message: string): void {
    const line = `${new Date().toISOString()} ${level} ${printable(message)}\n`
    process.stderr.write(line)
    try {
      appendFileSync(file, line)
    } catch {
      // A full disk must not end the app; stderr has the line.
    }
  }

  return {
    info: (message) => write('info', message),
    warn: (message) => write('warn', message),
    error(message, cause) {
      const id = randomUUID()
      write('error', `[${id}] ${message}${cause === undefined ? '' : `: ${inspect(cause)}`}`)
      return id
    },
  }
}
