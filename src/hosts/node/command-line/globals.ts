import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { systemCodeOf } from '#shared/text/errors.ts'
import { AppError } from '#engine/platform/errors.ts'
import { configurationFile, readConfiguration, type Configuration } from '../../configuration.ts'
import { configuredDataDir, defaultDataDir } from '../../data-dir.ts'
import { UsageError } from './errors.ts'
import { io, resolvePath } from './io.ts'

/** Accepted by every command, before or after its name. Set once, before the command runs. */
export interface GlobalOptions {
  /** As given; undefined: the default data folder. */
  data: string | undefined
  /** One object per line, as defined in `#contract/cli-output`. */
  json: boolean
  /** Only IDs in lists, and no messages. Errors are still printed. */
  quiet: boolean
  utc: boolean
  colors: boolean
}

export let globals: GlobalOptions = noOptions()

function noOptions(): GlobalOptions {
  return {
    data: undefined,
    json: false,
    quiet: false,
    utc: false,
    colors: false,
  }
}

export function resetGlobals(): void {
  globals = noOptions()
}

/**
 * `--data`, else `TABSCOPE_DATA`, else `data` of the configuration file, else the default of the operating system. Absolute. Throws `UsageError` if it
 * cannot be a folder, and `store_failed` for a folder that this user may not open.
 */
export function dataFolder(): string {
  const folder = namedFolder()
  try {
    if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file. ${useFolder}`)
    accessSync(folder, constants.R_OK | constants.X_OK)
  } catch (error) {
    switch (systemCodeOf(error)) {
      case 'ENOENT':
        break
      case 'ENOTDIR':
        throw new UsageError(`A part of ${folder} is a file. ${useFolder}`)
      case 'EACCES':
      case 'EPERM':
        throw new AppError(
          'store_failed',
          `No permission to open ${folder}, which may belong to another user. Run Tabscope as that user, change the permissions, or use another folder: --data DIR`,
        )
      default:
        throw error
    }
  }
  return folder
}

const useFolder = 'Specify a folder: --data DIR'

function namedFolder(): string {
  const { data } = globals
  if (data === '') throw new UsageError('--data requires a folder.')
  if (data !== undefined) return resolvePath(data)
  const configured = configuredDataDir(io.cwd(), io.env, configuration)
  if (configured !== undefined) return configured
  const folder = defaultDataDir(process.platform, io.env)
  if (path.isAbsolute(folder)) return folder
  throw new UsageError(
    `The home folder is unknown, because HOME is not set. Set it, or specify a folder: --data DIR`,
  )
}

/** Throws `UsageError` if the file cannot be read. */
export function configuration(): Configuration {
  const file = configurationFile(process.platform, io.env)
  if (!path.isAbsolute(file)) return {}
  try {
    return readConfiguration(file)
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message)
    throw error
  }
}
