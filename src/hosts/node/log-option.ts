import { existsSync } from 'node:fs'
import path from 'node:path'
import type { LogImport } from '#contract/logs.ts'
import { AppError } from '#engine/errors.ts'
import type { ExitCode } from './command-line/command.ts'
import { withSession } from './in-session.ts'
import type { Session } from './session.ts'

/** Describes `--log` of a command that reads deliveries. */
export const logDescription =
  'Read an event log: its ID, its name, or a file, which is imported if it was not'

/**
 * Runs a command that reads the live store, or the event log that `--log` means. Only to import a file may it begin a store where there is
 * none. Throws as `logOf`.
 */
export function withLog(
  word: string | undefined,
  work: (session: Session, log: number | null) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withSession(isFile(word) ? 'create' : 'read', async (session) =>
    work(session, await logOf(session, word)),
  )
}

/** Whether `--log` is given and means a file. */
export function isFile(word: string | undefined): boolean {
  return word !== undefined && existsSync(path.resolve(word))
}

/**
 * The event log that `--log` means: a file, which is imported if it was not before, else the ID or the name of one that was. Null where none
 * is given. Throws `not_found`, and what is wrong with the file.
 */
export async function logOf(session: Session, word: string | undefined): Promise<number | null> {
  if (word === undefined) return null
  if (isFile(word)) return (await importFile(session, path.resolve(word))).logId
  const { logs } = await session.call('logs.list', {})
  const found = logs.find(({ id, name }) => String(id) === word || name === word)
  if (found) return found.id
  const available = logs.map(({ id }) => id).join(', ') || 'none'
  throw new AppError('not_found', `No event log or file "${word}". Available: ${available}.`)
}

/** Imports a file, waiting for its end. `path` is absolute. Throws what is wrong with it. */
export async function importFile(session: Session, file: string): Promise<LogImport> {
  const { id } = await session.call('logs.import', { from: { kind: 'path', path: file } })
  return endOf(session, id)
}

/** Waits for the end of an import; what failed is thrown with its own code. */
export async function endOf(session: Session, id: number): Promise<LogImport> {
  const ended = await session.call('logs.imported', { id })
  await session.call('logs.dismissImport', { id })
  if (ended.state === 'done') return ended
  if (ended.error) throw new AppError(codeOf(ended.error.code), ended.error.message)
  throw new AppError('run_over', `The import of ${ended.name} was cancelled.`)
}

function codeOf(code: string): 'log_unreadable' | 'log_too_new' | 'file_failed' | 'internal' {
  switch (code) {
    case 'log_unreadable':
    case 'log_too_new':
    case 'file_failed':
      return code
    default:
      return 'internal'
  }
}
