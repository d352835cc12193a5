import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  appendFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { escapeControls } from '#shared/text/visible.ts'
import type { Log } from '#engine/platform/ports.ts'
import { storageReason } from '#engine/platform/storage-failure.ts'
import { logFileIn } from './data-dir.ts'

interface Rotation {
  readonly bytes: number
  readonly keptFiles: number
}

/** By which a file may exceed its size while another process rotates it. */
const slack = 64 * 1024

/** Rotates `file` to `file.1` before it exceeds the size. Several processes that do it at once may rotate it twice. The folder must exist. Throws the system's error. */
export function appendRotated(file: string, text: string, { bytes, keptFiles }: Rotation): void {
  const size = sizeOf(file)
  if (size !== null && size > 0 && size + Buffer.byteLength(text) > bytes) rotate(file, keptFiles)
  // A file that cannot be rotated must not grow without limit.
  if ((sizeOf(file) ?? 0) > bytes + Math.max(bytes, slack)) return
  appendFileSync(file, text, { mode: 0o600 })
}

function rotate(file: string, keptFiles: number): void {
  try {
    rmSync(`${file}.${keptFiles}`, { force: true })
    for (let n = keptFiles - 1; n >= 1; n -= 1) {
      if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`)
    }
    renameSync(file, `${file}.1`)
  } catch {
    // Another process has just rotated it, or on Windows has it open: the next line tries again.
  }
}

function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null
}

const rotation: Rotation = { bytes: 5 * 1024 * 1024, keptFiles: 3 }
/** Parts of a line may come from foreign requests. */
const maxLineLength = 16_384

/** Also writes to stderr, if there is a terminal. Escapes control characters, since parts of a line may come from a hostile request. */
export function openLog(
  dataDir: string,
  { stderr, env }: Pick<NodeJS.Process, 'env'> & { readonly stderr: Writable } = process,
): Log {
  const file = logFileIn(dataDir, process.platform, env)
  const folder = path.dirname(file)
  // A data folder that was moved or deleted must not be created again just for a log.
  let isMade = folder === dataDir
  let isPrivate = process.platform === 'win32'
  // Writing to a closed terminal must not end the app.
  if (stderr.listenerCount('error') === 0) stderr.on('error', () => undefined)

  function write(level: string, message: string, cause?: unknown): void {
    const start = `${new Date().toISOString()} ${level}`
    // A stack helps nobody in a terminal.
    const reason = cause === undefined ? null : storageReason(cause)
    stderr.write(
      `${start} ${cut(escapeControls(message))}${reason === null ? '' : `. ${reason}`}\n`,
    )
    const complete = cause === undefined ? message : `${message}: ${inspect(cause)}`
    const line = `${start} ${cut(escapeControls(complete))}\n`
    try {
      if (!isMade) mkdirSync(folder, { recursive: true, mode: 0o700 })
      isMade = true
      appendRotated(file, line, rotation)
      // Lines contain paths and addresses, and an older file may be readable by others.
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
      write('error', `[${id}] ${message}`, cause)
      return id
    },
  }
}

function cut(text: string): string {
  return text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)} … (cut)`
}
