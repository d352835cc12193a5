import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'

export interface Rotation {
  /** At this size (bytes) the file is set aside. */
  readonly bytes: number
  /** So many that were set aside are kept. */
  readonly kept: number
}

/** Bytes that a file may grow beyond its size while another process sets it aside, which may take a while on a busy machine. */
const slack = 64 * 1024

/** What is left of a process that ended while it rotated, after this time (ms). */
const staleAfter = 10_000

/**
 * Appends `text` to `file`, and sets it aside as `file.1` before it would be larger than it may. Several processes may do so at once: each
 * line is written whole, and to whichever file has the name at that moment. Its folder must be there. Throws the system's error.
 */
export function appendRotated(file: string, text: string, { bytes, kept }: Rotation): void {
  const size = sizeOf(file)
  if (size !== null && size > 0 && size + Buffer.byteLength(text) > bytes)
    rotate(file, text, { bytes, kept })
  // What cannot be set aside must not grow for ever: the disk is others' too.
  if ((sizeOf(file) ?? 0) > bytes + Math.max(bytes, slack)) return
  appendFileSync(file, text, { mode: 0o600 })
}

function rotate(file: string, text: string, { bytes, kept }: Rotation): void {
  const lock = `${file}.lock`
  if (!claim(lock)) return
  try {
    // Another process may have done so since.
    if ((sizeOf(file) ?? 0) + Buffer.byteLength(text) <= bytes) return
    rmSync(`${file}.${kept}`, { force: true })
    for (let n = kept - 1; n >= 1; n -= 1) {
      if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`)
    }
    renameSync(file, `${file}.1`)
  } catch {
    // Somebody holds it open, on Windows: the next line tries again.
  } finally {
    rmSync(lock, { force: true })
  }
}

/** False: another process is at it. */
function claim(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Math.abs(Date.now() - since) > staleAfter)
      rmSync(lock, { force: true })
    return false
  }
}

/** Null: there is none. */
function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null
}
