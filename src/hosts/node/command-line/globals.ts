import path from 'node:path'
import { ConfigurationError } from '../../configuration.ts'
import { configuredDataDir, defaultDataDir } from '../../data-dir.ts'
import { UsageError } from '../errors.ts'

/** Options that every command accepts, before or after its name. Set once, before the command runs. */
export interface GlobalOptions {
  /** As given; undefined: the default data folder. */
  data: string | undefined
  /** The former name of `data`. */
  dataDir: string | undefined
  /** One JSON object per line on stdout, as defined in `#contract/cli-output`. */
  json: boolean
  /** Only IDs in lists, and no messages besides the output. Errors are still printed. */
  quiet: boolean
  /** Times in UTC instead of the local time zone. */
  utc: boolean
}

export const globals: GlobalOptions = {
  data: undefined,
  dataDir: undefined,
  json: false,
  quiet: false,
  utc: false,
}

/**
 * The data folder of this run: `--data`, else the environment variable `TABSCOPE_DATA`, else `data` of the configuration file, else the default
 * of the operating system. Absolute. Throws `UsageError`.
 */
export function dataFolder(): string {
  const { data, dataDir } = globals
  if (data !== undefined && dataDir !== undefined) {
    throw new UsageError('Use --data or --data-dir, not both.')
  }
  const given = data ?? dataDir
  if (given === '') throw new UsageError('--data requires a folder.')
  if (given !== undefined) return path.resolve(given)
  return configured(configuredDataDir) ?? defaultDataDir()
}

/** A value from the configuration file. Throws `UsageError` if the file cannot be read. */
export function configured<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message)
    throw error
  }
}
