import path from 'node:path'
import { parseArgs } from 'node:util'
import { logFilesOf } from '../../data-dir.ts'
import { isLinkLike } from './links.ts'

export interface Arguments {
  /** Absolute path; undefined for the default folder. */
  readonly dataDir: string | undefined
  /** Port of the listener for this run; undefined for the port in the settings. */
  readonly listenerPort: number | undefined
  /** Start in the tray, without a window, as at login. */
  readonly hidden: boolean
  /** Event logs to import, as absolute paths. */
  readonly files: readonly string[]
  /** A link into the app, unchanged; null if there is none. */
  readonly link: string | null
}

/**
 * Reads `--data DIR`, `--port N`, `--hidden`, event log files and a link. Ignores everything else, since Chromium's switches are in the same list. Also ignores
 * everything after a link: a link must not select the data folder. Throws an error for the user if a value is missing or the port is
 * invalid.
 */
export function readArguments(args: readonly string[], cwd: string): Arguments {
  const linkIndex = args.findIndex(isLinkLike)
  const { values, positionals } = parseArgs({
    args: args.slice(0, linkIndex === -1 ? undefined : linkIndex),
    strict: false,
    allowPositionals: true,
    options: { data: { type: 'string' }, port: { type: 'string' }, hidden: { type: 'boolean' } },
  })
  const { data, port } = values
  // Without a value the parser returns `true`.
  if (typeof data === 'boolean' || data === '') throw new Error('--data requires a folder.')
  return {
    dataDir: data === undefined ? undefined : path.resolve(cwd, data),
    listenerPort: port === undefined ? undefined : portOf(port),
    hidden: values.hidden === true,
    files: logFilesOf(positionals, cwd),
    link: args[linkIndex] ?? null,
  }
}

function portOf(text: string | boolean): number {
  const port = Number(text)
  if (typeof text === 'boolean' || !/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new Error('--port requires a number from 0 to 65535.')
  }
  return port
}
