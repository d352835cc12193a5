import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cliFile } from './run-cli.ts'

/** A file system of a few megabytes that is only visible to processes started by `program`. Used to test a full disk safely. */
export interface PrivateDisk extends AsyncDisposable {
  /** Its mount point in those processes. */
  readonly path: string
  names(folder: string): string[]
  /** Words before those of any program that sees the disk. */
  readonly inside: readonly [string, ...string[]]
  /** Program that sees the disk, for `runCli` and `spawnCli` with the built command line. */
  readonly program: readonly [string, ...string[]]
  fill(): void
  free(): void
  /** Requires that no process has one of its files open for writing. */
  readOnly(on: boolean): void
}

/** Requires root on Linux to mount. Otherwise these tests are skipped, and only injected failures are tested. */
export const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'nsenter', '--version']).status === 0

/** Mounts a disk of so many megabytes until disposed. */
export async function privateDisk(megabytes = 8): Promise<PrivateDisk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-disk-'))
  const script = 'mount -t tmpfs -o "size=$2m" tabscope-test "$1" && echo mounted && exec sleep 600'
  const holder = spawn('unshare', ['-m', 'sh', '-c', script, 'sh', folder, String(megabytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'exit')
  const mounted = await Promise.race([once(holder.stdout, 'data'), ended.then(() => null)])
  if (mounted === null) throw new Error('no disk could be mounted')
  // The mounts end with their last process.
  const reached = path.join(`/proc/${holder.pid}/root`, folder)
  const namespace = `--mount=/proc/${holder.pid}/ns/mnt`
  const filler = path.join(reached, 'filler')
  return {
    path: folder,
    names: (of) => readdirSync(path.join(reached, path.relative(folder, of))),
    inside: ['nsenter', namespace],
    program: ['nsenter', namespace, process.execPath, '--min-semi-space-size=16', cliFile],
    fill: () => {
      const file = openSync(filler, 'a')
      try {
        for (const size of [1024 * 1024, 4096]) {
          const bytes = Buffer.alloc(size)
          while (wrote(file, bytes));
        }
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
    readOnly: (on) => {
      const options = `remount,${on ? 'ro' : 'rw'}`
      const { status } = spawnSync('nsenter', [namespace, 'mount', '-o', options, folder])
      if (status !== 0) throw new Error('the disk could not be mounted anew')
    },
    [Symbol.asyncDispose]: async () => {
      holder.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** False once the disk is full. */
function wrote(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}
