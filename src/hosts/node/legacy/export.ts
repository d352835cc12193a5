import path from 'node:path'
import type { LogExport, LogsView } from '#contract/logs.ts'
import { redactedValues } from '#contract/redaction.ts'
import { AppError } from '#engine/errors.ts'
import { cancellable } from '../cancellable.ts'
import { defaultName, readExport, type ExportWish } from '../export-options.ts'
import { exportText, previewText, progressText } from '../export-text.ts'
import { failing } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { folderOf } from '../options.ts'
import { confirms, say, showProgress, writeBytes, writeJson, writeLine } from '../output.ts'
import { openSession, type Session } from '../session.ts'
import { UsageError } from '../usage-error.ts'
import { printable } from '../../printable.ts'

/** `export`: deliveries as a file, redacted unless `--no-redact`. */
export async function exportLog(args: string[]): Promise<number> {
  const now = new Date()
  const { values, wish, output } = readExport(args, now.getTime())
  const json = values.json ?? false
  if (json && output === '-' && values.preview !== true) {
    throw new UsageError('With -o - the export itself is on stdout: leave out --json.')
  }
  if (json && output === null && values.preview !== true) {
    throw new UsageError('export --json requires -o FILE, or --preview.')
  }
  return failing(json, async () => {
    if (!wish.redact && values.preview !== true && !(await mayLeaveAll(values.yes ?? false)))
      return 1
    const folder = folderOf(values)
    await using session = await openSession(folder, {
      access: values.log === undefined ? 'read' : 'create',
    })
    const log = await logOf(session, values.log)
    await assertAllThere(session, wish.what?.ids ?? [], log)
    const whole: ExportWish = { ...wish, what: { ...wish.what, log } }
    if (values.preview === true) return await preview(session, whole, json)
    const { format, gzip = false } = whole
    const view = (await session.call('logs.formats', {})).find(({ id }) => id === format)
    if (!view) throw new AppError('bad_input', await noFormat(session, format ?? ''))
    const name = defaultName(view.extension, gzip, now)
    const toStdout = output === '-' || (output === null && !process.stdout.isTTY)
    return toStdout
      ? await toStdoutOf(session, whole, name)
      : await toFile(session, whole, output ?? path.resolve(name), json)
  })
}

async function noFormat(session: Session, format: string): Promise<string> {
  const formats = await session.call('logs.formats', {})
  return `There is no format "${format}". There is ${formats.map(({ id }) => id).join(', ')}.`
}

/** Without redaction a terminal is asked; a script confirms with `--yes`. Throws `confirmation_required`. */
async function mayLeaveAll(yes: boolean): Promise<boolean> {
  const warning = `Nothing will be redacted. The file will hold ${Object.values(redactedValues)
    .map(({ values }) => values)
    .join('; ')}.`
  if (yes) {
    say(`${warning} Give it only to those who may see all of it.`)
    return true
  }
  if (!process.stdin.isTTY) {
    throw new AppError('confirmation_required', `${warning} To export it, confirm with --yes.`)
  }
  return confirms(`${warning} Go on?`)
}

/** Throws `not_found` for IDs that no delivery has: the file would lack them without a word. */
async function assertAllThere(
  session: Session,
  ids: readonly number[],
  log: number | null,
): Promise<void> {
  const missing: number[] = []
  for (const id of ids) {
    try {
      await session.call('deliveries.get', { id, log })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
      missing.push(id)
    }
  }
  if (missing.length === 0) return
  throw new AppError(
    'not_found',
    `No delivery has the ID ${missing.join(', ')}. List them: tabscope deliveries list`,
  )
}

async function toFile(
  session: Session,
  wish: ExportWish,
  file: string,
  json: boolean,
): Promise<number> {
  const begun = await session.call('logs.export', {
    ...wish,
    to: { kind: 'file', path: file, overwrite: true },
  })
  const { id } = begun.export
  const ended = await cancellable(
    () => session.call('logs.cancelExport', { id }),
    () => followed(session, id),
  )
  await session.call('logs.dismissExport', { id })
  throwWhatFailed(ended)
  if (json) writeJson({ event: 'exported', ...ended })
  else writeLine(printable(exportText(ended)))
  return 0
}

/** Follows an export to its end, and says on a terminal how far it is. */
async function followed(session: Session, id: number): Promise<LogExport> {
  const ended = Promise.withResolvers<LogExport>()
  const look = ({ exports }: Pick<LogsView, 'exports'>): void => {
    const now = exports.find((each) => each.id === id)
    if (!now) return
    showProgress(progressText(now))
    if (now.state !== 'running') ended.resolve(now)
  }
  session.on('logs.changed', look)
  void session.gone.then(() => ended.reject(goneMeanwhile()))
  // Pushes tell of changes: it may have been over before we listened.
  look(await session.call('logs.list', {}))
  try {
    return await ended.promise
  } finally {
    showProgress('')
  }
}

function goneMeanwhile(): AppError {
  return new AppError(
    'connection_lost',
    'The Tabscope that wrote the file has ended before it was whole: nothing was kept. Run the command again.',
  )
}

function throwWhatFailed({ state, error, name }: LogExport): void {
  if (state === 'failed')
    throw new AppError('file_failed', error ?? `${name} could not be written.`)
  if (state === 'cancelled') throw new AppError('run_over', 'Cancelled: nothing was written.')
}

async function toStdoutOf(session: Session, wish: ExportWish, name: string): Promise<number> {
  const { export: begun, ticket } = await session.call('logs.export', {
    ...wish,
    to: { kind: 'pull', name },
  })
  if (ticket === null) throw new Error('an export to be pulled has no ticket')
  const { id } = begun
  await cancellable(
    () => session.call('logs.cancelExport', { id }),
    async () => {
      for (;;) {
        const { bytes, done } = await session.call('logs.pull', { ticket })
        await writeBytes(bytes)
        if (done) return
      }
    },
  )
  const { exports } = await session.call('logs.list', {})
  const ended = exports.find((each) => each.id === id)
  if (ended) say(printable(exportText({ ...ended, path: null, name: 'stdout' })))
  await session.call('logs.dismissExport', { id })
  return 0
}

/** What would be taken out, and how large it would be; nothing is written. */
async function preview(session: Session, wish: ExportWish, json: boolean): Promise<number> {
  const key = `cli-${process.pid}`
  for (;;) {
    const found = await session.call('logs.preview', { ...wish, key })
    if (!found.complete) continue
    if (json) writeJson({ event: 'preview', ...found })
    else writeLine(previewText(found))
    return 0
  }
}
