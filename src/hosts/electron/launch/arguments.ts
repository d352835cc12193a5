import path from 'node:path'
import { parseArgs } from 'node:util'
import { logFilesOf } from '../../data-dir.ts'
import { isLinkLike } from './links.ts'

export interface Arguments {
  /** Absolute; undefined: the default folder. */
  readonly dataDir: string | undefined
  /** For this run; undefined: the port in the settings. */
  readonly listenerPort: number | undefined
  readonly hidden: boolean
  /** Event logs to import: absolute paths. */
  readonly files: readonly string[]
  /** Unchanged. */
  readonly link: string | null
}

const options = {
  data: { type: 'string' },
  port: { type: 'string' },
  hidden: { type: 'boolean' },
  report: { type: 'string' },
  timeout: { type: 'string' },
} as const

/** Nothing after a link, which anyone can get opened. */
function parse(args: readonly string[]) {
  const linkIndex = args.findIndex(isLinkLike)
  const before = args.slice(0, linkIndex === -1 ? undefined : linkIndex)
  const parsed = parseArgs({ args: before, strict: false, allowPositionals: true, options })
  return { ...parsed, before, link: args[linkIndex] ?? null }
}

const help = `Usage: tabscope [options] [event logs] [tabscope:// link]

Opens the desktop app.

Options:
  --data DIR      Use another data folder
  --port N        Listen on another port
  --hidden        Start in the tray, without a window
  --self-check    Check that Tabscope works on this system (--report DIR, --timeout 60s)
  -V, --version   Print the version
  -h, --help      Print this help

For commands such as "tabscope listen", choose Install the command line in the app's Help menu (macOS: in the Tabscope menu).
`

export interface EarlyEnd {
  readonly exitCode: 0 | 2
  /** On stdout if the exit code is 0, else on stderr. */
  readonly text: string
}

/**
 * For what needs no window: `--version`, `--help`, and words, which are most likely a command of the command line. Null: the app starts. `args`: of the user. A
 * word with a slash, backslash or extension may be a file from the desktop: one that is not an event log is ignored.
 */
export function endsEarly(args: readonly string[], version: string): EarlyEnd | null {
  const { before, positionals } = parse(args)
  const has = (...names: readonly string[]): boolean => before.some((arg) => names.includes(arg))
  if (has('--version', '-V')) return { exitCode: 0, text: `tabscope ${version}\n` }
  if (has('--help', '-h')) return { exitCode: 0, text: help }
  const word = positionals.find((argument) => /^[\w-]+$/.test(argument))
  if (word === undefined) return null
  const text = `tabscope: "${word}" is not an event log or a link. For commands, choose Install the command line in the app, then open a new terminal.\n`
  return { exitCode: 2, text }
}

/** `self-check`, as the command line calls it, as the option of the app. */
export function withSelfCheckOption(args: readonly string[]): string[] {
  return args[0] === 'self-check' ? ['--self-check', ...args.slice(1)] : [...args]
}

/**
 * `--data DIR`, `--port N`, `--hidden`, event log files and a link. Ignores the rest, since Chromium's switches are in the same list, and everything after
 * a link, which must not select the data folder. Throws an error for the user.
 */
export function readArguments(args: readonly string[], cwd: string): Arguments {
  const { values, positionals, link } = parse(args)
  const { data, port } = values
  // Without a value the parser returns `true`.
  if (typeof data === 'boolean' || data === '') throw new Error('--data requires a folder.')
  return {
    dataDir: data === undefined ? undefined : path.resolve(cwd, data),
    listenerPort: port === undefined ? undefined : portOf(port),
    hidden: values.hidden === true,
    files: logFilesOf(positionals, cwd),
    link,
  }
}

function portOf(text: string | boolean): number {
  const port = Number(text)
  if (typeof text === 'boolean' || !/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new Error('--port requires a number from 0 to 65535.')
  }
  return port
}
