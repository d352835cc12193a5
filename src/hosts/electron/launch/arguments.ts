import path from 'node:path'
import { parseArgs } from 'node:util'
import { logFilesOf } from '../../data-dir.ts'
import { isLinkLike } from './links.ts'

export interface Arguments {
  /** Absolute; undefined: the default folder. */
  readonly dataDir: string | undefined
  /** For this run; undefined: the port in the settings. */
  readonly listenerPort: number | undefined
  /** In the tray, without a window, as at login. */
  readonly hidden: boolean
  /** Event logs to import: absolute paths. */
  readonly files: readonly string[]
  /** Unchanged. */
  readonly link: string | null
}

/**
 * `--data DIR`, `--port N`, `--hidden`, event log files and a link. Ignores the rest, since Chromium's switches are in the same list, and everything after
 * a link, which must not select the data folder. Throws an error for the user.
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
