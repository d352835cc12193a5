import { app } from 'electron'
import { accessSync, constants, mkdirSync } from 'node:fs'
import path from 'node:path'
import { defaultDataDir } from '../data-dir.ts'
import { readArguments, type Arguments } from './handed-over/arguments.ts'
import type { Handed } from './handed-over/handed-over.ts'

export type Claim = Arguments & { readonly dataDir: string }

/**
 * Reads the arguments and claims the data folder. Null: another Tabscope has it, and was told to come forward. Throws a sentence where the
 * arguments cannot be read, or the folder cannot be written.
 */
export function claimDataDir(words: readonly string[], cwd: string): Claim | null {
  const given = readArguments(words, cwd)
  // Electron's lock is one for each `userData`: so each data folder must have its own.
  const userData =
    given.dataDir === undefined ? app.getPath('userData') : path.join(given.dataDir, 'interface')
  makeWritable(userData)
  if (given.dataDir !== undefined) app.setPath('userData', userData)
  // What it was started with, should another Tabscope have to take it.
  if (!app.requestSingleInstanceLock(handedBy(given))) return null
  return { ...given, dataDir: given.dataDir ?? defaultDataDir() }
}

export function handedBy({ files, link }: Arguments): Handed {
  return { files, link }
}

/** Electron takes a folder that it cannot lock for one that another Tabscope has, and would end without a word. */
function makeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The folder ${folder} cannot be written. Make room for it, or name another one with --data. (${why})`,
      { cause: error },
    )
  }
}
