import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import type { Log } from '#engine/ports.ts'
import { logFileIn } from './log-place.ts'
import { printable } from './printable.ts'
import { appendRotated, type Rotation } from './rotating-file.ts'

const rotation: Rotation = { bytes: 5 * 1024 * 1024, kept: 3 }
/** A line is cut at so many characters: parts of it may come from others. */
const longestLine = 16_384

/** Nobody reads a terminal that was closed: to write to it must not end the app. */
let terminalWatched = false

/**
 * Writes to the log of the data folder (`log-place.ts`) and to stderr: a packaged app has no terminal, and a terminal wants to see it. Control
 * characters are escaped, since parts of a line may come from a hostile request.
 */
export function openLog(dataDir: string): Log {
  const file = logFileIn(dataDir)
  const folder = path.dirname(file)
  // A data folder that was moved or deleted, or whose disk is gone, must not come back with nothing but a log in it.
  let isMade = folder === dataDir
  let isPrivate = process.platform === 'win32'
  if (!terminalWatched) process.stderr.on('error', () => undefined)
  terminalWatched = true

  function write(level: string, message: string): void {
    const line = `${new Date().toISOString()} ${level} ${cut(printable(message))}\n`
    process.stderr.write(line)
    try {
      if (!isMade) mkdirSync(folder, { recursive: true, mode: 0o700 })
      isMade = true
      appendRotated(file, line, rotation)
      // Lines name paths and addresses; an older one may have been made for everybody.
      if (!isPrivate) chmodSync(file, 0o600)
      isPrivate = true
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

function cut(text: string): string {
  return text.length <= longestLine ? text : `${text.slice(0, longestLine)} … (cut)`
}
