import path from 'node:path'
import type { CallInput } from '#contract/calls.ts'
import type { RedactionRule } from '#contract/logs.ts'
import { keepableClasses, type KeepableClass } from '#contract/redaction.ts'
import { filterOf } from './filter-option.ts'
import { idOf, parse } from './options.ts'
import { timeOf } from './time-option.ts'
import { UsageError } from './usage-error.ts'

const options = {
  format: { type: 'string' },
  filter: { type: 'string' },
  since: { type: 'string' },
  before: { type: 'string' },
  id: { type: 'string', multiple: true },
  trace: { type: 'string' },
  log: { type: 'string' },
  output: { type: 'string', short: 'o' },
  gzip: { type: 'boolean' },
  without: { type: 'string', multiple: true },
  'redact-header': { type: 'string', multiple: true },
  'redact-path': { type: 'string', multiple: true },
  keep: { type: 'string', multiple: true },
  'no-redact': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  target: { type: 'string' },
  preview: { type: 'boolean' },
} as const

export type ExportWish = Omit<CallInput<'logs.export'>, 'to'>

export interface ExportOptions {
  readonly values: ReturnType<typeof parse<typeof options>>['values']
  /** All but the log, which may have to be imported first. */
  readonly wish: ExportWish
  /** Absolute path; `-`: stdout; null: it was not said. */
  readonly output: string | null
}

/** What the end of a file's name says of its format. */
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

const parts = ['attempts', 'notes', 'authorization'] as const

/** Reads the words behind `export`. `nowMs`: what `2h` counts from, in milliseconds since the epoch. Throws `UsageError` and `BadFilter`. */
export function readExport(args: string[], nowMs: number): ExportOptions {
  const { values } = parse(args, options)
  const { output } = values
  if (output === '') throw new UsageError('-o needs a file, or - for stdout.')
  const file = output === undefined || output === '-' ? null : path.resolve(output)
  const packed = file !== null && /\.gz$/i.test(file)
  const ending = file === null ? '' : path.extname(packed ? file.slice(0, -3) : file).toLowerCase()
  const left = new Set((values.without ?? []).flatMap((words) => words.split(',')))
  for (const word of left) {
    if (!parts.some((part) => part === word)) {
      throw new UsageError(`--without takes ${parts.join(', ')}, not "${word}".`)
    }
  }
  return {
    values,
    output: output === '-' ? '-' : file,
    wish: {
      what: {
        filter: filterOf(values.filter),
        from: timeOf('since', values.since, nowMs),
        to: timeOf('before', values.before, nowMs),
        ids: idsOf(values.id),
        traceOf: values.trace === undefined ? null : idOf('', values.trace),
      },
      format: values.format ?? byExtension[ending] ?? 'ndjson',
      redact: values['no-redact'] !== true,
      keep: keptOf(values.keep),
      rules: rulesOf(values['redact-header'], values['redact-path']),
      gzip: values.gzip ?? packed,
      with: {
        attempts: !left.has('attempts'),
        notes: !left.has('notes'),
        authorization: !left.has('authorization'),
      },
      ...(values.target === undefined ? {} : { target: values.target }),
    },
  }
}

/** Also several in one word: `--id 3,5,8`. */
function idsOf(words: readonly string[] | undefined): number[] | null {
  if (words === undefined) return null
  return words
    .flatMap((word) => word.split(','))
    .map((word) => idOf('--id needs the ID of a delivery.', word.trim()))
}

function keptOf(words: readonly string[] | undefined): KeepableClass[] {
  return (words ?? [])
    .flatMap((word) => word.split(','))
    .map((word) => {
      const kept = keepableClasses.find((one) => one === word.trim())
      if (kept) return kept
      throw new UsageError(`--keep takes ${keepableClasses.join(', ')}, not "${word}".`)
    })
}

function rulesOf(
  headers: readonly string[] | undefined,
  paths: readonly string[] | undefined,
): RedactionRule[] {
  return [
    ...(headers ?? []).map((name): RedactionRule => ({ kind: 'header', name })),
    ...(paths ?? []).map((each): RedactionRule => ({ kind: 'path', path: each })),
  ]
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A name that tells what it is and when, in local time: `tabscope-2026-11-21-1430.ndjson`. */
export function defaultName(extension: string, gzip: boolean, now: Date): string {
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `tabscope-${day}-${two(now.getHours())}${two(now.getMinutes())}.${extension}${gzip ? '.gz' : ''}`
}
