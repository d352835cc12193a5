import path from 'node:path'
import { parseArgs } from 'node:util'
import { logFilesOf } from '../log-files.ts'

export interface Arguments {
  /** Absolute path; undefined: the app's own folder. */
  readonly dataDir: string | undefined
  /** Port of the listener for this run; undefined: the one of the settings. */
  readonly listenerPort: number | undefined
  /** Begin without a window, in the tray: so it is started at log-in. */
  readonly hidden: boolean
  /** Event logs to be opened: absolute paths. */
  readonly files: readonly string[]
}

/**
 * Reads `--data DIR`, `--port N`, `--hidden` and the event logs named. Everything else is let through: Chromium's own switches come in the same list.
 * Throws a sentence when a value is missing or no port.
 */
export function readArguments(args: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: { data: { type: 'string' }, port: { type: 'string' }, hidden: { type: 'boolean' } },
  })
  const { data, port } = values
  // Without a value the parser answers `true`.
  if (typeof data === 'boolean' || data === '') throw new Error('--data needs a folder.')
  return {
    dataDir: data === undefined ? undefined : path.resolve(cwd, data),
    listenerPort: port === undefined ? undefined : portOf(port),
    hidden: values.hidden === true,
    files: logFilesOf(positionals, cwd),
  }
}

function portOf(text: string | boolean): number {
  const port = Number(text)
  if (typeof text === 'boolean' || !/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new Error('--port needs a number from 0 to 65535.')
  }
  return port
}
