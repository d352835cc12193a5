import type { ExportedDelivery } from '../../items.ts'
import { isoTime } from '../iso-time.ts'
import { visible } from '#shared/text/visible.ts'

/** A spreadsheet takes no more than 32,767 characters in a cell. */
const longestCell = 32_000

/** What a spreadsheet may take for the beginning of a formula, full-width forms included. */
const formula = '[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20]'
const atStart = new RegExp(`^(?=\\s*${formula})`)
/** Where semicolons part columns, the quotes around this cell count for nothing, and behind one a cell would begin. */
const behindSemicolon = new RegExp(`;(?=[\\s"]*${formula})`, 'g')

/**
 * Text of others as a cell (RFC 4180): nothing in it is a formula, ends the cell, or is hidden. An apostrophe is how a spreadsheet is told
 * that text follows.
 */
function textCell(text: string): string {
  const long = text.length > longestCell
  const shown = visible(long ? text.slice(0, longestCell) : text) + (long ? '…' : '')
  const defused = shown.replace(atStart, "'").replace(behindSemicolon, ";'")
  return /[",;']|^\s|\s$/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}

type Column = readonly [name: string, cell: (delivery: ExportedDelivery) => string]

/** What the header row says, and what stands under it. Where nothing is known the cell is empty. */
export const columns: readonly Column[] = [
  ['id', ({ fields }) => String(fields.id)],
  ['received_at', ({ fields }) => isoTime(fields.receivedAt)],
  ['type', ({ fields }) => textCell(fields.type ?? '')],
  ['title', ({ fields }) => textCell(fields.title)],
  ['verdict', ({ fields }) => fields.verdict],
  ['findings', ({ fields }) => textCell(fields.findings.map(({ code }) => code).join(', '))],
  ['method', ({ fields }) => textCell(fields.method)],
  ['path', ({ fields }) => textCell(fields.path)],
  ['endpoint', ({ fields }) => textCell(fields.endpointName ?? '')],
  ['target', ({ fields }) => textCell(fields.target ?? '')],
  ['location', ({ fields }) => textCell(fields.locationName ?? '')],
  ['created_at', ({ fields }) => (fields.createdAt === null ? '' : isoTime(fields.createdAt))],
  ['status', ({ fields }) => number(fields.status)],
  ['answered_in_ms', ({ fields }) => number(fields.answeredIn)],
  ['answered_by', ({ fields }) => fields.answeredBy ?? (fields.status === null ? '' : 'tabscope')],
  ['bytes', ({ fields }) => String(fields.bytes)],
  ['sha256', ({ fields }) => textCell(fields.sha256)],
  ['body_redacted', ({ fields }) => yesOrNo(fields.bodyRedacted)],
  ['arrival', ({ fields }) => fields.arrival],
  ['repeats', ({ fields }) => number(fields.repeats?.id ?? null)],
  ['attempts', ({ attempts }) => String(attempts.length)],
  ['last_attempt_status', ({ attempts }) => number(attempts.at(-1)?.fields.status ?? null)],
  ['verdict_at_arrival', ({ fields }) => fields.recheck?.verdictAtArrival ?? fields.verdict],
  ['pinned', ({ fields }) => yesOrNo(fields.pinned)],
  ['tags', ({ fields }) => textCell(fields.tags.join(', '))],
  ['note', ({ fields }) => textCell(fields.note)],
]

function number(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '' : String(value)
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
