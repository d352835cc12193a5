import { existsSync } from 'node:fs'
import path from 'node:path'
import type { LogImport } from '#contract/logs.ts'
import { AppError } from '#engine/errors.ts'
import type { Session } from './session.ts'

/**
 * The log that `--log` means: a file, which is imported if it was not before, else the number or the name of one that was. Null where none is
 * named. Throws `not_found`, and what is wrong with the file.
 */
export async function logOf(session: Session, word: string | undefined): Promise<number | null> {
  if (word === undefined) return null
  const file = path.resolve(word)
  if (existsSync(file)) return (await importFile(session, file)).logId
  const { logs } = await session.call('logs.list', {})
  const found = logs.find(({ id, name }) => String(id) === word || name === word)
  if (found) return found.id
  throw new AppError(
    'not_found',
    `There is no file ${word}, and no log of that number or name. List them: tabscope logs list`,
  )
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
