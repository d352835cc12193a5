import { commands } from './commands/by-name.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#engine/errors.ts'
import { storageFailure } from '#engine/storage-failure.ts'
import { SandboxError } from '#sandbox/errors.ts'
import type { SandboxErrorCode } from '#sandbox/errors.ts'
import { BadFilter } from './filter-option.ts'
import { endWithOutput, exitWhenWritten, Interrupted, say, writeLine } from './output.ts'
import { printable } from '../printable.ts'
import { nearestOf } from './nearest.ts'
import { commandNames, helpOf, usage, UsageError, usageOf } from './usage.ts'

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h'])
const versionWords: ReadonlySet<string> = new Set(['version', '--version', '-V'])

async function main(args: string[]): Promise<number> {
  const [first, ...rest] = args
  // As the desktop app has it.
  const name = first === '--self-check' ? 'self-check' : first
  if (name === undefined) {
    say(usage)
    return 2
  }
  if (helpWords.has(name)) return help(rest[0])
  if (versionWords.has(name)) {
    const { version } = await import('./version.ts')
    writeLine(`tabscope ${version()}`)
    return 0
  }
  if (wantsHelp(rest)) return help(name)
  const load = Object.entries(commands).find(([key]) => key === name)?.[1]
  if (!load) throw noCommand(name)
  const command = await load()
  return command(rest)
}

/** Behind `--` are words, whatever they look like. */
function wantsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).some((word) => /^(?:--help|-h)$/.test(word))
}

function help(name: string | undefined): number {
  const text = name === undefined || helpWords.has(name) ? usage : helpOf(name)
  if (text === undefined) throw noCommand(name ?? '')
  writeLine(text)
  return 0
}

function noCommand(name: string): UsageError {
  const near = nearestOf(name, commandNames)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return new UsageError(`There is no command "${name}".${hint} List them: tabscope help`)
}

/** What the sandbox may meet whatever the words of the command. */
const notTheirWords: ReadonlySet<SandboxErrorCode> = new Set(['unreachable', 'port_in_use'])

/** The exit codes of errors that are neither a failure nor a negative result (1). */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  bad_input: 2,
  bad_filter: 2,
  not_found: 3,
  confirmation_required: 4,
  target_unconfirmed: 4,
  server_unconfirmed: 4,
  other_origin: 4,
}

/** What went wrong, in words, and the exit code for it. */
function explain(thrown: unknown): number {
  const error = storageFailure(thrown) ?? thrown
  if (error instanceof BadFilter) {
    say(error.message)
    return 2
  }
  if (error instanceof UsageError) {
    const own = usageOf(process.argv[2] ?? '')
    say(printable(error.message) + (own === undefined ? '' : `\n\n${own}`))
    return 2
  }
  if (error instanceof Interrupted) return 130
  if (error instanceof AppError) {
    say(printable(error.message))
    return exitCodes[error.code] ?? 1
  }
  if (error instanceof SandboxError) {
    say(printable(error.message))
    return notTheirWords.has(error.code) ? 1 : 2
  }
  say(error instanceof Error ? (error.stack ?? error.message) : 'Something went wrong.')
  return 1
}

endWithOutput()
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = explain(error)
}
// Threads and sockets are closed by now; whatever a library left open must not keep the process.
exitWhenWritten()
