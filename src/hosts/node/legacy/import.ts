import { open } from 'node:fs/promises'
import path from 'node:path'
import type { EventLog, LogImport } from '#contract/logs.ts'
import { feedLimit } from '#contract/logs.ts'
import { AppError } from '#engine/errors.ts'
import { cancellable } from '../cancellable.ts'
import { unreadable } from '../given-file.ts'
import { inSession } from '../in-session.ts'
import { endOf } from '../log-option.ts'
import { eventLogText } from '../log-text.ts'
import { parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import type { Session } from '../session.ts'
import { UsageError } from '../usage-error.ts'
import { printable } from '../../printable.ts'

const mostFiles = 100

/** `import FILE|-`: event logs, each beside the live store. The same file again is the log that it was. */
export async function importLogs(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { name: { type: 'string' } }, mostFiles)
  if (positionals.length === 0) throw new UsageError('import needs a FILE, or - for stdin.')
  if (positionals.filter((file) => file === '-').length > 1) {
    throw new UsageError('There is one stdin: give - once.')
  }
  // Before anything is begun: a wrong name among several must not leave half of them done.
  for (const file of positionals) if (file !== '-') await assertFile(file)
  return inSession(values, async (session) => {
    for (const file of positionals) {
      const ended =
        file === '-'
          ? await fromStdin(session, values.name ?? 'stdin')
          : await fromFile(session, path.resolve(file))
      tell(ended, await logNamed(session, ended), values.json ?? false)
    }
    return 0
  })
}

async function assertFile(file: string): Promise<void> {
  try {
    const handle = await open(file)
    const stats = await handle.stat()
    await handle.close()
    if (!stats.isDirectory()) return
  } catch (error) {
    throw unreadable('file_failed', file, error)
  }
  throw new AppError('file_failed', `${file} is a folder. Name a file in it.`)
}

async function fromFile(session: Session, file: string): Promise<LogImport> {
  const { id } = await session.call('logs.import', { from: { kind: 'path', path: file } })
  return cancellable(
    () => session.call('logs.cancelImport', { id }),
    () => endOf(session, id),
  )
}

async function fromStdin(session: Session, name: string): Promise<LogImport> {
  const { id } = await session.call('logs.import', { from: { kind: 'feed', name } })
  const fed = async (): Promise<LogImport> => {
    for await (const chunk of process.stdin) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
      for (let at = 0; at < bytes.byteLength; at += feedLimit) {
        const piece = new Uint8Array(bytes.subarray(at, at + feedLimit))
        const { state } = await session.call('logs.feed', { id, bytes: piece, end: false })
        // What is wrong with it is known: the rest need not come.
        if (state !== 'running') return endOf(session, id)
      }
    }
    await session.call('logs.feed', { id, bytes: new Uint8Array(), end: true })
    return endOf(session, id)
  }
  return cancellable(
    () => session.call('logs.cancelImport', { id }),
    async () => {
      try {
        return await fed()
      } catch (error) {
        // It ended while a piece was under way: what it ended with says more.
        if (error instanceof AppError && error.code === 'run_over') return endOf(session, id)
        throw error
      }
    },
  )
}

async function logNamed(session: Session, { logId }: LogImport): Promise<EventLog> {
  const { logs } = await session.call('logs.list', {})
  const log = logs.find(({ id }) => id === logId)
  if (log) return log
  throw new AppError('not_found', 'The log was removed right after it was imported.')
}

function tell({ known }: LogImport, log: EventLog, json: boolean): void {
  if (json) writeJson({ event: 'imported', known, ...log })
  else writeLine(`${eventLogText(log)}${known ? '  (imported before)' : ''}`)
  for (const problem of json ? [] : log.problems) say(printable(problem))
}
