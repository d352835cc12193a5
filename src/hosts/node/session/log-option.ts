import { existsSync } from 'node:fs'
import type { EventLog, LogImport } from '#contract/logs.ts'
import { AppError } from '#engine/platform/errors.ts'
import { formatSize } from '#shared/text/format.ts'
import { escapeControls } from '#shared/text/visible.ts'
import type { ExitCode } from '../command-line/command.ts'
import { withSession } from './in-session.ts'
import type { Session } from './session.ts'
import { resolvePath } from '../command-line/io.ts'
import { named } from '../command-line/nearest.ts'
import { facts, formatTime } from '../output/text.ts'

export const logDescription = 'Read an event log: its ID, name or file; a new file is imported'

/** Creates a store only to import a file. Throws like `logOf`. */
export function withLog(
  word: string | undefined,
  work: (session: Session, log: number | null) => Promise<ExitCode | undefined>,
): Promise<ExitCode> {
  return withSession(isFile(word) ? 'create' : 'read', async (session) =>
    work(session, await logOf(session, word)),
  )
}

export function isFile(word: string | undefined): boolean {
  return word !== undefined && existsSync(resolvePath(word))
}

/** A file, which is imported unless it already was, else an ID or name. Null if not given. Throws `not_found`, and the errors of the import. */
export async function logOf(session: Session, word: string | undefined): Promise<number | null> {
  if (word === undefined) return null
  if (isFile(word)) return (await importFile(session, resolvePath(word))).logId
  return (await importedLog(session, word, 'Event log or file')).id
}

/** By its ID or its name. Throws `not_found`. */
export async function importedLog(
  session: Session,
  word: string,
  kind = 'Event log',
): Promise<EventLog> {
  const { logs } = await session.call('logs.list', {})
  return named(kind, word, logs, ({ id, name }) => [String(id), name])
}

/** Waits for the end. `file` is absolute. Throws the error of the import. */
export async function importFile(session: Session, file: string): Promise<LogImport> {
  const { id } = await session.call('logs.import', { from: { kind: 'path', path: file } })
  return endOf(session, id)
}

/** Throws the error of the import with its code. */
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

export function stateText(state: EventLog['state']): string {
  return {
    complete: 'complete',
    cut_off: 'truncated',
    changed: 'changed since export',
    unverified: 'unverified',
  }[state]
}

export function eventLogText(log: EventLog): string {
  const { app, exportedAt, importedAt, format, version, redacted, scope, bytes } = log
  return [
    facts([
      ['ID', log.id],
      ['Name', log.name],
      ['Deliveries', log.deliveries],
      ['Rehearsals', log.rehearsals ?? 0],
      ['State', stateText(log.state)],
      ['Format', version === null ? format : `${format}, version ${version}`],
      ['Exported by', app],
      ['Exported', exportedAt === null ? 'unknown' : formatTime(exportedAt)],
      ['Imported', formatTime(importedAt)],
      ['Redacted', redacted === null ? 'unknown' : redacted ? 'yes' : 'no'],
      ['Filter', scope?.filter || 'none'],
      ['Size', formatSize(bytes)],
      ['SHA-256', log.sha256],
    ]),
    ...log.problems.map(escapeControls),
  ].join('\n')
}
