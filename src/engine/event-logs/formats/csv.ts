import type { LogHead } from '#contract/event-log.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { isoTime, knownTime } from '../format-parts/text.ts'
import type { LogFormat } from '../formats.ts'
import type { ExportedDelivery, LogItem } from '../items.ts'

/** RFC 4180, a row for each delivery. */
const csv: LogFormat = {
  id: 'csv',
  label: 'Table (CSV)',
  description: 'One row per delivery, without headers and bodies. For spreadsheets.',
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  imports: 'none',
  gzip: false,
  // A spreadsheet has at most 1,048,576 rows.
  comfortable: 1_000_000,
  single: false,
  write: writeCsv,
}

function* writeCsv(_head: LogHead, items: Iterable<LogItem>): Generator<string, void, undefined> {
  // Spreadsheets recognize UTF-8 by the byte order mark.
  yield `\u{FEFF}${columns.map(([name]) => name).join(',')}\r\n`
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    yield `${columns.map(([, cell]) => cell(item.delivery)).join(',')}\r\n`
  }
}

/** Spreadsheets allow at most 32,767 characters in a cell. */
const maxCellLength = 32_000

/** May start a formula in a spreadsheet; also in full-width form. */
const formulaAtStart = /^(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/
/** With semicolons as separators, a spreadsheet ignores the quotes, and text after a semicolon becomes a cell of its own. */
const formulaAfterSemicolon = /;(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** The cell cannot be a formula, end early or contain hidden characters. An apostrophe makes a spreadsheet treat the rest as text. */
function textCell(text: string): string {
  const isCut = text.length > maxCellLength
  const visibleText =
    escapeControls(isCut ? text.slice(0, maxCellLength) : text) + (isCut ? '…' : '')
  const defused = visibleText.replace(formulaAtStart, "'").replace(formulaAfterSemicolon, ";'")
  return /[",;']|^\s|\s$/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}

/** LibreOffice takes a time with a `Z` for a text. */
function timeCell(time: string | null): string {
  return time?.replace('Z', '') ?? ''
}

type Column = readonly [name: string, cell: (delivery: ExportedDelivery) => string]

const columns: readonly Column[] = [
  ['id', ({ fields }) => String(fields.id)],
  ['received_at_utc', ({ fields }) => timeCell(knownTime(fields.receivedAt))],
  ['type', ({ fields }) => textCell(fields.type ?? '')],
  ['title', ({ fields }) => textCell(fields.title)],
  ['verdict', ({ fields }) => fields.verdict],
  ['cause', ({ fields }) => textCell((fields.causes ?? []).map(({ code }) => code).join(', '))],
  ['findings', ({ fields }) => textCell(fields.findings.map(({ code }) => code).join(', '))],
  ['method', ({ fields }) => textCell(fields.method)],
  ['path', ({ fields }) => textCell(fields.path)],
  ['endpoint', ({ fields }) => textCell(fields.endpointName ?? '')],
  ['target', ({ fields }) => textCell(fields.target ?? '')],
  ['location', ({ fields }) => textCell(fields.locationName ?? '')],
  [
    'created_at_utc',
    ({ fields: { createdAt } }) => timeCell(createdAt === null ? null : isoTime(createdAt)),
  ],
  ['status', ({ fields }) => numberCell(fields.status)],
  ['answered_in_ms', ({ fields }) => numberCell(fields.responseMs)],
  ['answered_by', ({ fields }) => fields.respondedBy ?? (fields.status === null ? '' : 'tabscope')],
  ['bytes', ({ fields }) => String(fields.bytes)],
  ['sha256', ({ fields }) => textCell(fields.sha256)],
  ['body_redacted', ({ fields }) => booleanCell(fields.bodyRedacted)],
  ['arrival', ({ fields }) => fields.arrival],
  ['repeats', ({ fields }) => numberCell(fields.duplicateOf?.id ?? null)],
  ['attempts', ({ attempts }) => String(attempts.length)],
  ['last_attempt_status', ({ attempts }) => numberCell(attempts.at(-1)?.fields.status ?? null)],
  ['verdict_at_arrival', ({ fields }) => fields.recheck?.verdictAtArrival ?? fields.verdict],
  ['pinned', ({ fields }) => booleanCell(fields.pinned)],
  ['tags', ({ fields }) => textCell(fields.tags.join(', '))],
  ['note', ({ fields }) => textCell(fields.note)],
]

function numberCell(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '' : String(value)
}

function booleanCell(value: boolean): string {
  return value ? 'yes' : 'no'
}

export default csv
