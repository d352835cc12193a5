import path from 'node:path'
import { parseArgs } from 'node:util'
import { logFilesOf } from '../../data-dir.ts'
import { isLinkLike } from './links.ts'

export interface Arguments {
  /** Absolute path; undefined: the app's own folder. */
  readonly dataDir: string | undefined
  /** Port of the listener for this run; undefined: the one of the settings. */
  readonly listenerPort: number | undefined
  /** Begin without a window, in the tray: so it is started at log-in. */
  readonly hidden: boolean
  /** Event logs to be opened: absolute paths. */
  readonly files: readonly string[]
  /** A link into the app as it was written; null: none. */
  readonly link: string | null
}

/**
 * Reads `--data DIR`, `--port N`, `--hidden`, the event logs named and a link. Everything else is let through: Chromium's own switches come in the same
 * list. Whoever has a link opened must not choose the data folder with it, so what stands behind one is not read. Throws a sentence when a
 * value is missing or no port.
 */
export function readArguments(args: readonly string[], cwd: string): Arguments {
  const linkAt = args.findIndex(isLinkLike)
  const { values, positionals } = parseArgs({
    args: args.slice(0, linkAt === -1 ? undefined : linkAt),
    strict: false,
    allowPositionals: true,
    options: { data: { type: 'string' }, port: { type: 'string' }, hidden: { type: 'boolean' } },
  })
  const { data, port } = values
  // Without a value the parser answers `true`.
  if (typeof data === 'boolean' || data === '') throw new Error('--data requires a folder.')
  return {
    dataDir: data === undefined ? undefined : path.resolve(cwd, data),
    listenerPort: port === undefined ? undefined : portOf(port),
    hidden: values.hidden === true,
    files: logFilesOf(positionals, cwd),
    link: args[linkAt] ?? null,
  }
}

function portOf(text: string | boolean): number {
  const port = Number(text)
  if (typeof text === 'boolean' || !/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new Error('--port requires a number from 0 to 65535.')
  }
  return port
}
