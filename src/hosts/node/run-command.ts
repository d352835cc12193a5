import { escapeControls } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { storageFailure } from '#engine/platform/storage-failure.ts'
import { SandboxError, type SandboxErrorCode } from '#sandbox/errors.ts'
import { errorExitCodes, type ExitCode } from './command-line/command.ts'
import { resetGlobals } from './command-line/globals.ts'
import { run } from './command-line/program.ts'
import { RunFailed, UsageError } from './errors.ts'
import { useIo, type CommandIo } from './io.ts'
import { Interrupted, printError, writeJson } from './output.ts'

let isRunning = false

/** Prints the error of a command that fails. Throws if another one is running in this process: definitions of commands hold the values of their options. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  if (isRunning) throw new Error('A command is already running in this process.')
  isRunning = true
  useIo(io)
  resetGlobals()
  const [first = '', ...rest] = args
  try {
    // The option of the desktop app, which always prints JSON.
    return await run(first === '--self-check' ? ['self-check', '--json', ...rest] : args)
  } catch (error) {
    const { exitCode, code, message, more, lines = [] } = failureOf(error)
    if (wantsJson(args)) writeJson('failed', { code, message, ...more })
    for (const line of [message, ...lines]) printError(line)
    return exitCode
  } finally {
    isRunning = false
  }
}

const nonUsageErrors: ReadonlySet<SandboxErrorCode> = new Set(['unreachable', 'port_in_use'])

interface Failure {
  readonly exitCode: ExitCode
  readonly code: string
  readonly message: string
  readonly more?: { readonly meaning: string; readonly remedy: string }
  readonly lines?: readonly string[]
}

function failureOf(thrown: unknown): Failure {
  const error = storageFailure(thrown) ?? thrown
  if (error instanceof UsageError) {
    const { code, message } = error
    return { exitCode: 2, code, message: code === 'bad_filter' ? message : escapeControls(message) }
  }
  if (error instanceof Interrupted) {
    return { exitCode: 130, code: 'interrupted', message: 'Interrupted.' }
  }
  if (error instanceof RunFailed) {
    const { code, message, meaning, remedy } = error.failure
    const lines = [meaning, remedy, ...error.details]
      .filter((line) => line !== '')
      .map(escapeControls)
    const { exitCode } = error
    return { exitCode, code, message: escapeControls(message), more: { meaning, remedy }, lines }
  }
  if (error instanceof AppError) {
    const { code, message } = error
    return { exitCode: errorExitCodes[code] ?? 1, code, message: escapeControls(message) }
  }
  if (error instanceof SandboxError) {
    const { code, message } = error
    return { exitCode: nonUsageErrors.has(code) ? 1 : 2, code, message: escapeControls(message) }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : 'Unknown error.'
  return { exitCode: 1, code: 'internal', message }
}

/** Even if the arguments could not be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? undefined : end).includes('--json')
}
