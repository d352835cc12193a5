import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A socket's path in bytes, at most: macOS has room for 104 with the zero at its end, Linux for 108. */
const longestPath = 100

export interface SocketPlace {
  readonly path: string
  /** Takes away what is left of it. */
  remove(): void
}

/**
 * Where the control socket of a data folder goes: in the folder, or where its path is too long in a new folder of ours (0700) among the
 * temporary ones; on Windows a pipe of a random name. Only for who holds the folder: what a crash left there goes.
 */
export function socketPlace(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): SocketPlace {
  if (platform === 'win32') {
    return { path: `\\\\.\\pipe\\tabscope-${randomBytes(16).toString('hex')}`, remove: () => {} }
  }
  const beside = path.join(dataDir, 'control.sock')
  if (Buffer.byteLength(beside) <= longestPath) {
    rmSync(beside, { force: true })
    return { path: beside, remove: () => discard(beside) }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-'))
  return {
    path: path.join(folder, 'control.sock'),
    remove: () => discard(folder),
  }
}

/** At the end it must not fail: what a folder that cannot be written keeps goes at the next start. */
function discard(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch {
    // As above.
  }
}
