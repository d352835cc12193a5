import { open } from 'node:fs/promises'
import type { EventLog, LogImport } from '#contract/logs.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { cancellable } from '../stop.ts'
import { action, defineCommand, errorExitCodes, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { unreadable } from '../input-file.ts'
import { withSession } from '../in-session.ts'
import { endOf, eventLogText } from '../log-option.ts'
import { Interrupted, print, printError, printMessage, writeJson } from '../output.ts'
import type { Session } from '../session.ts'
import { UsageError } from '../errors.ts'
import { io, resolvePath } from '../io.ts'

const maxFiles = 100

export const command = defineCommand(
  'import',
  'Import event logs, separate from captured deliveries',
  [
    ['Import an event log', 'import friday.tabscope'],
    ['Import several files, including HAR', 'import friday.tabscope capture.har'],
    ['Import from stdin', 'import - --name friday'],
  ],
)
  .argument('<file...>', 'Event logs (NDJSON, optionally gzipped) or HAR files, or - for stdin')
  .option('--name <name>', 'Name for the event log from stdin', 'stdin')
  .action(action((files, { name }) => importLogs(files, name)))

async function importLogs(files: readonly string[], name: string): Promise<ExitCode> {
  if (files.length > maxFiles) {
    throw new UsageError(`At most ${maxFiles} files can be imported at once.`)
  }
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('Use - once: stdin can be read only once.')
  }
  // Import nothing if one of the files does not exist.
  for (const file of files) if (file !== '-') await assertFile(file)
  return withSession('create', async (session) => {
    const exitCodes: ExitCode[] = []
    for (const file of files) {
      try {
        const imported =
          file === '-' ? await fromStdin(session, name) : await fromFile(session, resolvePath(file))
        printLog(await logOf(session, imported), imported.known)
      } catch (error) {
        exitCodes.push(printFailure(file === '-' ? 'stdin' : file, error))
      }
    }
    return exitCodes[0] ?? 0
  })
}

/** The other files are imported anyway. */
function printFailure(file: string, error: unknown): ExitCode {
  if (!(error instanceof AppError)) throw error
  const message = `${file}: ${error.message}`
  if (globals.json) writeJson('failed', { code: error.code, message })
  printError(escapeControls(message))
  return errorExitCodes[error.code] ?? 1
}

async function assertFile(file: string): Promise<void> {
  try {
    const handle = await open(resolvePath(file))
    const stats = await handle.stat()
    await handle.close()
    if (!stats.isDirectory()) return
  } catch (error) {
    throw unreadable('bad_input', file, error)
  }
  throw new AppError('bad_input', `${file} is a folder. Specify a file.`)
}

async function fromFile(session: Session, file: string): Promise<LogImport> {
  const { id } = await session.call('logs.import', { from: { kind: 'path', path: file } })
  return cancelledByUser(session, id, () => endOf(session, id))
}

async function fromStdin(session: Session, name: string): Promise<LogImport> {
  const { feedLimit } = await import('#contract/constants.ts')
  const { id } = await session.call('logs.import', { from: { kind: 'feed', name } })
  return cancelledByUser(session, id, () => {
    const ended = endOf(session, id)
    // The import may end before all of stdin is read: it failed or was cancelled.
    return Promise.race([ended, feed(session, id, feedLimit).then(() => ended)])
  })
}

async function feed(session: Session, id: number, limit: number): Promise<void> {
  try {
    for await (const chunk of io.stdin) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
      for (let at = 0; at < bytes.byteLength; at += limit) {
        const piece = new Uint8Array(bytes.subarray(at, at + limit))
        const { state } = await session.call('logs.feed', { id, bytes: piece, end: false })
        if (state !== 'running') return
      }
    }
    await session.call('logs.feed', { id, bytes: new Uint8Array(), end: true })
  } catch (error) {
    // The import has already ended; its own error is reported.
    const hasEnded = error instanceof AppError && /^(?:run_over|not_found)$/.test(error.code)
    if (!hasEnded) throw error
  }
}

/** Ctrl+C cancels the import and throws `Interrupted`. */
async function cancelledByUser(
  session: Session,
  id: number,
  work: () => Promise<LogImport>,
): Promise<LogImport> {
  try {
    return await cancellable(() => session.call('logs.cancelImport', { id }), work)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'run_over')) throw error
    printMessage(error.message)
    throw new Interrupted()
  }
}

/** Throws `not_found`. */
async function logOf(session: Session, { logId }: LogImport): Promise<EventLog> {
  const { logs } = await session.call('logs.list', {})
  const log = logs.find(({ id }) => id === logId)
  if (log) return log
  throw new AppError('not_found', 'The event log was removed right after the import.')
}

function printLog(log: EventLog, known: boolean): void {
  print(
    'event_log',
    { ...log, known },
    () => `${eventLogText(log)}${known ? '\nThis event log was already imported.' : ''}`,
  )
}
