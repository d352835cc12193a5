import path from 'node:path'
import { ConfigurationError } from '../../configuration.ts'
import { configuredDataDir, defaultDataDir } from '../../data-dir.ts'
import { UsageError } from '../errors.ts'

/** Options that every command accepts, before or after its name. Set once, before the command runs. */
export interface GlobalOptions {
  /** As given; undefined: the default data folder. */
  data: string | undefined
  /** One JSON object per line on stdout, as defined in `#contract/cli-output`. */
  json: boolean
  /** Only IDs in lists, and no messages besides the output. Errors are still printed. */
  quiet: boolean
  /** Times in UTC instead of the local time zone. */
  utc: boolean
}

export const globals: GlobalOptions = {
  data: undefined,
  json: false,
  quiet: false,
  utc: false,
}

/**
 * The data folder of this run: `--data`, else the environment variable `TABSCOPE_DATA`, else `data` of the configuration file, else the default
 * of the operating system. Absolute. Throws `UsageError`.
 */
export function dataFolder(): string {
  const { data } = globals
  if (data === '') throw new UsageError('--data requires a folder.')
  if (data !== undefined) return path.resolve(data)
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
