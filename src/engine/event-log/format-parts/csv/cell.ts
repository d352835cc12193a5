import { visible } from '#contract/visible.ts'

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
export function textCell(text: string): string {
  const long = text.length > longestCell
  const shown = visible(long ? text.slice(0, longestCell) : text) + (long ? '…' : '')
  const defused = shown.replace(atStart, "'").replace(behindSemicolon, ";'")
  return /[",;']|^\s|\s$/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}
