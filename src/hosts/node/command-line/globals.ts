import { AppError } from '#engine/platform/errors.ts'
import { configurationFile, readConfiguration, type Configuration } from '../../configuration.ts'
import { configuredDataDir, defaultDataDir } from '../../data-dir.ts'
import { UsageError } from '../errors.ts'
import { io, resolvePath } from '../io.ts'

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

/** `--data`, else `TABSCOPE_DATA`, else `data` of the configuration file, else the default of the operating system. Absolute. Throws `UsageError`. */
export function dataFolder(): string {
  const { data } = globals
  if (data === '') throw new UsageError('--data requires a folder.')
  if (data !== undefined) return resolvePath(data)
  return (
    configuredDataDir(io.cwd(), io.env, configuration) ?? defaultDataDir(process.platform, io.env)
  )
}

/** Throws `UsageError` if the file cannot be read. */
export function configuration(): Configuration {
  try {
    return readConfiguration(configurationFile(process.platform, io.env))
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message)
    throw error
  }
}
