import { stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { escapeControls } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { storageFailure } from '#engine/platform/storage-failure.ts'
import { SandboxError, type SandboxErrorCode } from '#sandbox/errors.ts'
import { errorExitCodes, type ExitCode } from './command.ts'
import { dataFolder, resetGlobals } from './globals.ts'
import { run } from './program.ts'
import { RunFailed, UsageError } from './errors.ts'
import { asStarted, useIo, type CommandIo } from './io.ts'
import { Interrupted, printError, writeJson } from '../output/output.ts'

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
    const {
      exitCode,
      code,
      message,
      more,
      lines = [],
    } = failureOf(error) ?? (await internalFailure(error, io))
    if (wantsJson(args)) writeJson('failed', { code, message: asStarted(message), ...more })
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

function failureOf(thrown: unknown): Failure | null {
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
  return null
}

/** With the entry of the log that has the stack. Without a data folder, which has the log, with the place in the source. */
async function internalFailure(error: unknown, { env }: CommandIo): Promise<Failure> {
  const name = error instanceof Error ? error.name : typeof error
  const failure = { exitCode: 1, code: 'internal' } as const
  const folder = await logFolder()
  if (folder !== null) {
    const { openLog } = await import('../../log.ts')
    const { logFileIn } = await import('../../data-dir.ts')
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
    const id = openLog(folder, { stderr, env }).error('The command failed', error)
    const file = logFileIn(folder, process.platform, env)
    const message = `Tabscope had an internal error (${name}). See the log entry ${id} in ${file}.`
    return { ...failure, message }
  }
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frame = stack.split('\n').find((line) => line.startsWith('    at ')) ?? ''
  return {
    ...failure,
    message: `Tabscope had an internal error (${name}${frame.slice(3)}). Report it.`,
  }
}

async function logFolder(): Promise<string | null> {
  try {
    const folder = dataFolder()
    return (await stat(folder)).isDirectory() ? folder : null
  } catch {
    // There is none, or the configuration that names it cannot be read.
    return null
  }
}

/** Even if the arguments could not be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? undefined : end).includes('--json')
}
