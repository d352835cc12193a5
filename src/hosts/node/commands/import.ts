import { open } from 'node:fs/promises'
import type { EventLog, LogImport } from '#contract/logs.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { cancellable } from '../session/stop.ts'
import { action, defineCommand, errorExitCodes, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { unreadable } from '../command-line/input-file.ts'
import { withSession } from '../session/in-session.ts'
import { endOf, eventLogText } from '../session/log-option.ts'
import { Interrupted, print, printError, printMessage, writeJson } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { UsageError } from '../command-line/errors.ts'
import { resolvePath } from '../command-line/io.ts'

const maxFiles = 100

export const command = defineCommand(
  'import',
  'Import event logs, separate from captured deliveries',
  [
    ['Import an event log', 'import friday.tabscope'],
    ['Import several files, including HAR', 'import friday.tabscope capture.har'],
  ],
)
  .argument(
    '<file...>',
    'Event logs (NDJSON, optionally gzipped), HAR files, or requests of ngrok or webhook.site (JSON)',
  )
  .action(action((files) => importLogs(files)))

async function importLogs(files: readonly string[]): Promise<ExitCode> {
  if (files.length > maxFiles) {
    throw new UsageError(`At most ${maxFiles} files can be imported at once.`)
  }
  // Import nothing if one of the files does not exist.
  for (const file of files) await assertFile(file)
  return withSession('create', async (session) => {
    const exitCodes: ExitCode[] = []
    for (const file of files) {
      try {
        const imported = await importCancellable(session, resolvePath(file))
        printLog(await logOf(session, imported), imported.known)
      } catch (error) {
        exitCodes.push(printFailure(file, error))
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

async function importCancellable(session: Session, file: string): Promise<LogImport> {
  const { id } = await session.call('logs.import', { from: { kind: 'path', path: file } })
  try {
    return await cancellable(
      () => session.call('logs.cancelImport', { id }),
      () => endOf(session, id),
    )
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'run_over')) throw error
    printMessage(error.message)
    throw new Interrupted()
  }
}

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
