import { app } from 'electron'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chosenDataDir, defaultDataDir } from '../data-dir.ts'
import { readArguments, type Arguments } from './handed-over/arguments.ts'
import type { Handed } from './handed-over/handed-over.ts'

export type Claim = Arguments & { readonly dataDir: string }

/**
 * Reads the arguments and claims the data folder. Null: another Tabscope has it, and was told to come forward. Throws an error for the user
 * when the arguments or the configuration file are invalid, or the instance lock cannot be created in the folder.
 */
export function claimDataDir(
  words: readonly string[],
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): Claim | null {
  const given = readArguments(words, cwd)
  // Electron's lock is one for each `userData`: so each data folder must have its own.
  const dataDir = given.dataDir ?? chosenDataDir(cwd)
  const userData = dataDir === undefined ? app.getPath('userData') : path.join(dataDir, 'interface')
  assertLockable(userData, platform)
  if (dataDir !== undefined) app.setPath('userData', userData)
  // What it was started with, should another Tabscope have to take it.
  if (!app.requestSingleInstanceLock(handedBy(given))) return null
  return { ...given, dataDir: dataDir ?? defaultDataDir() }
}

export function handedBy({ files, link }: Arguments): Handed {
  return { files, link }
}

/**
 * Electron answers that another instance runs when it cannot create its lock: without this check Tabscope would end without a word. On Linux
 * and macOS the lock is a symbolic link in `folder`, to a socket in the folder of temporary files.
 */
function assertLockable(folder: string, platform: NodeJS.Platform): void {
  assertWritable(folder, 'Make room for it, or name another one with --data.')
  if (platform === 'win32') return
  // Chromium, which makes the socket, reads TMPDIR alone on Linux; Node reads TMP and TEMP as well.
  const temporary = platform === 'linux' ? process.env['TMPDIR'] || '/tmp' : tmpdir()
  assertWritable(temporary, 'Set TMPDIR to a folder that can be written.')
  const link = probeIn(folder)
  try {
    symlinkSync('nowhere', link)
  } catch (error) {
    throw new Error(
      `The folder ${folder} is on a file system without symbolic links, such as FAT, exFAT or some network shares. ` +
        `Tabscope needs them. Name a folder on another drive with --data. (${messageOf(error)})`,
      { cause: error },
    )
  }
  rmSync(link, { force: true })
}

/** Creates `folder` if needed. By writing a file: on Windows `access` does not look at the rights of a folder. */
function assertWritable(folder: string, remedy: string): void {
  const file = probeIn(folder)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '')
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be written. ${remedy} (${messageOf(error)})`, {
      cause: error,
    })
  }
  rmSync(file, { force: true })
}

function probeIn(folder: string): string {
  return path.join(folder, `.tabscope-test-${process.pid}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
