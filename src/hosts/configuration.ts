import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { AppError } from '#engine/platform/errors.ts'
import { isObject } from '#shared/json/object.ts'
import { nearestOf } from './node/command-line/nearest.ts'
import { jsonPosition, systemCodeOf, systemReason } from '#shared/text/errors.ts'

/** Flags take precedence over environment variables, which take precedence over this file. */
export interface Configuration {
  /** Absolute. */
  readonly data?: string
  readonly color?: 'auto' | 'always' | 'never'
  readonly utc?: boolean
}

/** Of an environment variable. A relative one would depend on the working directory; the XDG specification says to ignore it. `fallback`: segments. */
export function absoluteFolder(
  paths: path.PlatformPath,
  variable: string | undefined,
  ...fallback: string[]
): string {
  return variable !== undefined && paths.isAbsolute(variable) ? variable : paths.join(...fallback)
}

/** Empty if it is unknown: HOME is empty, or it is not set and the system has no entry for the user. */
export function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** By the XDG Base Directory Specification even on macOS: `$XDG_CONFIG_HOME/tabscope/config.json`; on Windows `%APPDATA%\Tabscope\config.json`. */
export function configurationFile(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homeFolder(),
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix
  return platform === 'win32'
    ? paths.join(
        absoluteFolder(paths, env['APPDATA'], home, 'AppData', 'Roaming'),
        'Tabscope',
        'config.json',
      )
    : paths.join(
        absoluteFolder(paths, env['XDG_CONFIG_HOME'], home, '.config'),
        'tabscope',
        'config.json',
      )
}

const keys = ['data', 'color', 'utc'] as const
const colors = ['auto', 'always', 'never'] as const

/** Empty if the file does not exist. Throws `bad_input` with one line that names the file and says what to change. */
export function readConfiguration(file = configurationFile()): Configuration {
  const text = textOf(file)
  if (text === null) return {}
  const { data, color, utc, ...others } = objectIn(file, text)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    const suggestion = nearestOf(unknown, keys)
    const hint =
      suggestion === undefined ? `Available: ${keys.join(', ')}.` : `Did you mean "${suggestion}"?`
    throw new AppError('bad_input', `Unknown key "${unknown}" in ${file}. ${hint}`)
  }
  if (data !== undefined && (typeof data !== 'string' || !path.isAbsolute(data))) {
    throw new AppError('bad_input', `"data" in ${file} must be the absolute path of a folder.`)
  }
  const knownColor = colors.find((each) => each === color)
  if (color !== undefined && knownColor === undefined) {
    throw new AppError('bad_input', `"color" in ${file} must be "auto", "always" or "never".`)
  }
  if (utc !== undefined && typeof utc !== 'boolean') {
    throw new AppError('bad_input', `"utc" in ${file} must be true or false.`)
  }
  return {
    ...(data === undefined ? {} : { data: path.normalize(data) }),
    ...(knownColor === undefined ? {} : { color: knownColor }),
    ...(utc === undefined ? {} : { utc }),
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new AppError('bad_input', `Could not read ${file}. ${systemReason(error)}`, {
      cause: error,
    })
  }
}

function objectIn(file: string, text: string): Record<string, unknown> {
  try {
    // Editors on Windows may add a byte order mark.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isObject(value)) return { ...value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError(
      'bad_input',
      `${file} is not valid JSON${jsonPosition(error)}. Correct it, or delete it.`,
      {
        cause: error,
      },
    )
  }
  throw new AppError('bad_input', `${file} must contain one JSON object, such as {"utc": true}.`)
}
