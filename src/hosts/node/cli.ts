import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#engine/errors.ts'
import { storageFailure } from '#engine/storage-failure.ts'
import { SandboxError } from '#sandbox/errors.ts'
import type { SandboxErrorCode } from '#sandbox/errors.ts'
import { run } from './command-line/program.ts'
import type { ExitCode } from './command-line/command.ts'
import { BadFilter } from './filter-option.ts'
import { endWithOutput, exitWhenWritten, Interrupted, sayError, writeJson } from './output.ts'
import { printable } from '../printable.ts'
import { RunFailed } from './run-failed.ts'
import { UsageError } from './usage-error.ts'

async function main(args: readonly string[]): Promise<void> {
  const [first = '', ...rest] = args
  // As the desktop app has it, which always prints JSON.
  await run(first === '--self-check' ? ['self-check', '--json', ...rest] : args)
}

/** What the sandbox may meet whatever the words of the command. */
const notTheirWords: ReadonlySet<SandboxErrorCode> = new Set(['unreachable', 'port_in_use'])

/** The exit codes of errors that are neither a failure nor a negative result (1). */
const exitCodes: Partial<Record<ErrorCode, ExitCode>> = {
  bad_input: 2,
  bad_filter: 2,
  not_found: 3,
  confirmation_required: 4,
  target_unconfirmed: 4,
  server_unconfirmed: 4,
  other_origin: 4,
}

/** What went wrong: the exit code, a stable code and a sentence. Null: nothing is to be said. */
interface Failure {
  readonly exitCode: ExitCode
  readonly code: string
  readonly message: string
  /** Further keys of the line of `--json`. */
  readonly more?: { readonly meaning: string; readonly remedy: string }
  /** Further lines for people. */
  readonly lines?: readonly string[]
}

function failureOf(thrown: unknown): Failure {
  const error = storageFailure(thrown) ?? thrown
  if (error instanceof BadFilter) {
    return { exitCode: 2, code: 'bad_filter', message: error.message }
  }
  if (error instanceof UsageError) {
    return { exitCode: 2, code: 'usage', message: printable(error.message) }
  }
  if (error instanceof Interrupted) {
    return { exitCode: 130, code: 'interrupted', message: 'Interrupted.' }
  }
  if (error instanceof RunFailed) {
    const { code, message, meaning, remedy } = error.failure
    const lines = [meaning, remedy, ...error.details].filter((line) => line !== '').map(printable)
    const { exitCode } = error
    return { exitCode, code, message: printable(message), more: { meaning, remedy }, lines }
  }
  if (error instanceof AppError) {
    const { code, message } = error
    return { exitCode: exitCodes[code] ?? 1, code, message: printable(message) }
  }
  if (error instanceof SandboxError) {
    const { code, message } = error
    return { exitCode: notTheirWords.has(code) ? 1 : 2, code, message: printable(message) }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : 'Unknown error.'
  return { exitCode: 1, code: 'internal', message }
}

/** Whether the words ask for JSON, also where they could not be understood. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? undefined : end).includes('--json')
}

const args = process.argv.slice(2)
endWithOutput()
try {
  await main(args)
} catch (error) {
  const { exitCode, code, message, more, lines = [] } = failureOf(error)
  if (wantsJson(args)) writeJson({ event: 'failed', code, message, ...more })
  for (const line of [message, ...lines]) sayError(line)
  process.exitCode = exitCode
}
// Threads and sockets are closed by now; whatever a library left open must not keep the process.
exitWhenWritten()
