import path from 'node:path'
import type { CallInput } from '#contract/calls.ts'
import type { LogExport, LogPreview, LogsView } from '#contract/logs.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { formatFileTime, formatSize, plural } from '#shared/text/format.ts'
import { maskingRules, removedLabel } from '#contract/constants.ts'
import { AppError } from '#engine/platform/errors.ts'
import { cancellable } from '../session/stop.ts'
import { confirmUnredacted } from '../command-line/confirm.ts'
import { action, defineCommand, withNotes, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { choice, collect, deliveryId, time } from '../command-line/values.ts'
import { deliveriesOf, type DeliveryRef } from '../session/delivery-ids.ts'
import { filterOf } from '../command-line/filter-option.ts'
import { withSession } from '../session/in-session.ts'
import { logOf } from '../session/log-option.ts'
import {
  Interrupted,
  print,
  printMessage,
  showProgress,
  writeBytes,
  writeJson,
  writeLine,
} from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { tableText } from '../output/table.ts'
import { UsageError } from '../command-line/errors.ts'
import { io, resolvePath } from '../command-line/io.ts'

/** Sorted. There is one file per format, which only the engine loads. */
export const exportFormats: readonly string[] = Object.keys(
  import.meta.glob('../../../engine/event-logs/formats/*.ts'),
).map((file) => path.basename(file, '.ts'))

const parts = ['deliveries', 'attempts', 'notes', 'authorization'] as const

const byExtension: Readonly<Record<string, string>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.tabscope': 'ndjson',
  '.har': 'har',
  '.html': 'html',
  '.htm': 'html',
  '.csv': 'csv',
  '.md': 'markdown',
  '.sh': 'curl',
  '.mjs': 'fetch',
  '.js': 'fetch',
}

const withOptions = defineCommand('export', 'Export deliveries to a file, redacted', [
  ['Export all deliveries, to send them to support', 'export -o friday.tabscope'],
  ['Show what the file would contain, by field', 'export --since 2h --preview'],
  [
    'Keep an undocumented field, and mask a documented one',
    'export --keep data.loyaltyTier --mask data.spotName -o friday.tabscope',
  ],
  [
    'Export a rehearsal as an HTML page',
    'export --rehearsals 3 --without deliveries,authorization -o run.html',
  ],
  ['Export one delivery as a curl command', 'export --id latest --format curl -o -'],
])
  .option(
    '-o, --output <file>',
    'File to write, or - for stdout (default: stdout; on a terminal, a file named after the time)',
  )
  .option('--force', 'Replace the file if it exists')
  .option(
    '--format <format>',
    `${exportFormats.join(', ')} (default: by the file extension, else ndjson)`,
    choice('--format', exportFormats),
  )
  .option('--gzip', 'Compress the file; also if its name ends with .gz')
  .option('--filter <filter>', 'Only deliveries that match')
  .option('--since <time>', 'Only deliveries received since', time('--since'))
  .option('--before <time>', 'Only deliveries received before', time('--before'))
  .option('--id <ids>', 'Only these deliveries: IDs, or latest (repeatable)', ids)
  .option('--trace <delivery>', 'Only deliveries in the trace of this delivery', deliveryId)
  .option('--log <log>', 'Event log to export from: its file, ID or name')
  .option(
    '--rehearsals <runs>',
    'Rehearsals to include in ndjson and html: all, none, or IDs (default: none; all of a complete --log)',
    rehearsals,
  )
  .option('--keep <field>', 'Export the values of this field as received (repeatable)', collect)
  .option('--mask <field>', 'Mask the values of this field (repeatable)', collect)
  .option('--no-redact', 'Redact nothing: the file contains secrets')
  .option('-y, --yes', 'Confirm --no-redact')
  .option(
    '--without <parts>',
    `Leave out: ${parts.join(', ')} (repeatable)`,
    listOf('--without', parts),
  )
  .option('--target <url>', 'Target of curl and fetch (default: the listener)')
  .option('--preview', 'Show what would be exported, by field, without writing a file')

export const command = withNotes(
  withOptions.action(action((values) => exportDeliveries(values))),
  'Redaction',
  redactionText(),
)

function ids(text: string, before: readonly DeliveryRef[] | undefined): DeliveryRef[] {
  return [...(before ?? []), ...text.split(',').map((word) => deliveryId(word.trim()))]
}

function rehearsals(text: string): 'all' | 'none' | number[] {
  if (text === 'all' || text === 'none') return text
  return text.split(',').map((word) => {
    if (!/^[1-9]\d{0,14}$/.test(word.trim())) {
      throw new UsageError(`--rehearsals requires all, none, or IDs, not "${text}".`)
    }
    return Number(word)
  })
}

function listOf<const T extends string>(name: string, choices: readonly T[]) {
  const parse = choice(name, choices)
  return Object.assign(
    (text: string, before: readonly T[] | undefined): T[] => [
      ...(before ?? []),
      ...text.split(',').map((word) => parse(word.trim())),
    ],
    { choices },
  )
}

function redactionText(): string {
  const lines = maskingRules.map(({ what, values }) =>
    wrapped(`${what.padEnd(11)}  ${values}`, '  ', '               '),
  )
  const fields =
    '--keep and --mask take fields as named by --preview, such as data.loyaltyTier or "header x-shop". The fields saved in Tabscope apply too.'
  return `${lines.join('\n')}\n${wrapped(fields, '  ', '  ')}`
}

function wrapped(text: string, first: string, others: string): string {
  const lines = [first]
  for (const word of text.split(/(?<= )(?=\S)/)) {
    const last = lines.at(-1) ?? ''
    if ((last + word).trimEnd().length <= 80) lines[lines.length - 1] = last + word
    else lines.push(others + word)
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}

export type ExportValues = ReturnType<typeof withOptions.opts>

type Request = Omit<CallInput<'logs.export'>, 'to'>

/** `output`: an absolute path, `-` for stdout, or null if not given. Throws `UsageError`. */
export function exportRequest(values: ExportValues): { request: Request; output: string | null } {
  const { output } = values
  if (output === '') throw new UsageError('-o requires a file, or - for stdout.')
  const file = output === undefined || output === '-' ? null : resolvePath(output)
  const packed = file !== null && /\.gz$/i.test(file)
  const extension =
    file === null ? '' : path.extname(packed ? file.slice(0, -3) : file).toLowerCase()
  const has = (part: (typeof parts)[number]): boolean => !values.without?.includes(part)
  return {
    output: output === '-' ? '-' : file,
    request: {
      format: values.format ?? byExtension[extension] ?? 'ndjson',
      redact: values.redact,
      choices: [
        ...(values.keep ?? []).map((field) => ({ field, as: 'keep' as const })),
        ...(values.mask ?? []).map((field) => ({ field, as: 'mask' as const })),
      ],
      gzip: values.gzip ?? packed,
      with: {
        attempts: has('attempts'),
        notes: has('notes'),
        authorization: has('authorization'),
        rehearsals: values.rehearsals,
      },
      target: values.target,
    },
  }
}

async function exportDeliveries(values: ExportValues): Promise<ExitCode> {
  const now = new Date()
  const { request, output } = exportRequest(values)
  const filter = filterOf(values.filter)
  if (globals.json && !values.preview && output === '-') {
    throw new UsageError(
      '--json cannot be used with -o -, because the export is written to stdout.',
    )
  }
  if (globals.json && !values.preview && output === null) {
    throw new UsageError('export --json requires -o FILE, or --preview.')
  }
  if (
    !request.redact &&
    !values.preview &&
    !(await confirmUnredacted('The file', values.yes ?? false))
  )
    return 1
  return withSession(values.log === undefined ? 'read' : 'create', async (session) => {
    const log = await logOf(session, values.log)
    const exportRequest: Request = {
      ...request,
      what: {
        log,
        filter,
        from: values.since ?? null,
        to: values.before ?? null,
        ids: values.without?.includes('deliveries')
          ? []
          : values.id === undefined
            ? null
            : await existing(session, values.id, log),
        traceOf:
          values.trace === undefined
            ? null
            : ((await existing(session, [values.trace], log))[0] ?? null),
      },
    }
    if (values.preview) return preview(session, exportRequest)
    const formats = await session.call('logs.formats', {})
    const extension = formats.find(({ id }) => id === request.format)?.extension ?? 'txt'
    const name = defaultName(extension, request.gzip ?? false, now)
    if (output === '-' || (output === null && !io.stdout.isTTY)) {
      return toStdout(session, exportRequest, name)
    }
    const file = output ?? resolvePath(name)
    return exportToFile(session, exportRequest, { path: file, overwrite: values.force ?? false })
  })
}

/** In local time: `tabscope-2026-11-21-1430.ndjson`. */
export function defaultName(extension: string, gzip: boolean, now: Date): string {
  return `tabscope-${formatFileTime(now)}.${extension}${gzip ? '.gz' : ''}`
}

/** Throws `not_found`, so that no delivery is missing from the file silently. */
async function existing(
  session: Session,
  given: readonly DeliveryRef[],
  log: number | null,
): Promise<number[]> {
  return (await deliveriesOf(session, given, log)).map(({ id }) => id)
}

/** Ctrl+C cancels: no file is left, and `Interrupted` is thrown. Throws `AppError`. */
export async function exportToFile(
  session: Pick<Session, 'call' | 'on' | 'gone'>,
  request: Request,
  file: { path: string; overwrite: boolean },
): Promise<ExitCode> {
  const { export: started } = await session.call('logs.export', {
    ...request,
    to: { kind: 'file', ...file },
  })
  const { id } = started
  const ended = await cancellable(
    () => session.call('logs.cancelExport', { id }),
    () => followed(session, id),
  )
  await session.call('logs.dismissExport', { id })
  if (ended.state === 'failed') {
    throw new AppError('file_failed', ended.error ?? `Could not write ${ended.name}.`)
  }
  if (ended.state === 'cancelled') {
    printMessage('Export cancelled. No file was written.')
    throw new Interrupted()
  }
  // The number of an export means nothing to a user.
  if (globals.json || !globals.quiet) print('export', ended, () => exportText(ended))
  return 0
}

async function followed(
  session: Pick<Session, 'call' | 'on' | 'gone'>,
  id: number,
): Promise<LogExport> {
  const ended = Promise.withResolvers<LogExport>()
  const update = ({ exports }: Pick<LogsView, 'exports'>): void => {
    const current = exports.find((each) => each.id === id)
    if (!current) return
    const { deliveries, total, bytes } = current
    showProgress(
      `${deliveries} of ${plural(total, 'delivery', 'deliveries')}, ${formatSize(bytes)}`,
    )
    if (current.state !== 'running') ended.resolve(current)
  }
  session.on('logs.changed', update)
  void session.gone.then(() =>
    ended.reject(
      new AppError(
        'connection_lost',
        'Tabscope exited before the export was complete. No file was written. Run the command again.',
      ),
    ),
  )
  // It may have ended before the first push.
  update(await session.call('logs.list', {}))
  try {
    return await ended.promise
  } finally {
    showProgress('')
  }
}

async function toStdout(session: Session, request: Request, name: string): Promise<ExitCode> {
  const { export: started, ticket } = await session.call('logs.export', {
    ...request,
    to: { kind: 'pull', name },
  })
  if (ticket === null) throw new Error('an export for download has no ticket')
  const { id } = started
  const pulled = async (): Promise<void> => {
    for (;;) {
      const { bytes, done } = await session.call('logs.pull', { ticket })
      await writeBytes(bytes)
      if (done) return
    }
  }
  try {
    await cancellable(() => session.call('logs.cancelExport', { id }), pulled)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'run_over')) throw error
    printMessage('Export cancelled. The output is incomplete.')
    throw new Interrupted()
  }
  const { exports } = await session.call('logs.list', {})
  const ended = exports.find((each) => each.id === id)
  if (ended) printMessage(exportText({ ...ended, path: null, name: 'stdout' }))
  await session.call('logs.dismissExport', { id })
  return 0
}

function exportText({
  deliveries,
  rehearsals,
  bytes,
  path: file,
  name,
  redacted,
  removed,
  unknownFields = [],
}: LogExport): string {
  const redaction = redacted ? `Redacted: ${removedLabel(removed)}.` : 'Not redacted.'
  const unknown =
    unknownFields.length === 0
      ? ''
      : ` No delivery has ${unknownFields.join(', ')}: --preview lists the fields.`
  return escapeControls(
    `${contentText({ deliveries, rehearsals })}, ${formatSize(bytes)}: ${file ?? name}. ${redaction}${unknown}`,
  )
}

function contentText({
  deliveries,
  rehearsals = 0,
}: Pick<LogPreview, 'deliveries' | 'rehearsals'>): string {
  const more = rehearsals === 0 ? '' : `, ${plural(rehearsals, 'rehearsal', 'rehearsals')}`
  return `${plural(deliveries, 'delivery', 'deliveries')}${more}`
}

async function preview(session: Session, request: Request): Promise<ExitCode> {
  const key = `cli-${process.pid}`
  for (;;) {
    const found = await session.call('logs.preview', { ...request, key })
    if (!found.complete) continue
    if (globals.json) writeJson('export_preview', found)
    else printPreview(found)
    return 0
  }
}

function printPreview({ totalBytes, fields, texts, notes, ...content }: LogPreview): void {
  writeLine(`${contentText(content)}, ${formatSize(totalBytes)}`)
  if (fields.length > 0) {
    writeLine(
      tableText(fields, {
        Field: ({ field }) => field,
        Documented: ({ documented }) => (documented ? 'yes' : 'no'),
        Received: ({ kept }) => kept,
        Aliases: ({ aliases }) => aliases,
        Masked: ({ masked }) => masked,
        Example: ({ examples: [first] }) => {
          if (first === undefined) return null
          if (first.was === first.becomes) return first.was
          return `${first.was ?? '(not shown)'} → ${first.becomes}`.trim()
        },
      }),
    )
  }
  if (texts.length > 0) {
    writeLine('\nTexts that would be exported as received:')
    writeLine(
      tableText(texts, {
        Field: ({ field }) => field,
        Count: ({ values }) => values,
        Text: ({ text }) => text,
      }),
    )
  }
  for (const note of notes) writeLine(escapeControls(note))
}
