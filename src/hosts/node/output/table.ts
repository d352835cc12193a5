import measure from 'fast-string-truncated-width'
import type { CliEvent, CliLine } from '#contract/cli-output.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { globals } from '../command-line/globals.ts'
import { colored, print, printMessage, writeLine } from './output.ts'
import { io } from '../command-line/io.ts'

type Style = Parameters<typeof colored>[0]

export interface Column<T> {
  readonly title: string
  /** Numbers are aligned right. */
  readonly value: (row: T) => string | number
  readonly style?: (row: T) => Style | undefined
  readonly align?: 'right'
  /** For a list whose rows are not all known; wider values shift the rest to the right. Default: the widest value. */
  readonly width?: number
}

type Cell = string | number | null | readonly [style: Style, text: string]

export type Cells<T> = Readonly<Record<string, (row: T) => Cell>>

export function columnsOf<T>(cells: Cells<T>): Column<T>[] {
  return Object.entries(cells).map(([title, cell]) => ({
    title,
    value: (row) => {
      const value = cell(row)
      return typeof value === 'object' ? (value?.[1] ?? '') : value
    },
    style: (row) => {
      const value = cell(row)
      return typeof value === 'object' ? value?.[0] : undefined
    },
  }))
}

const gap = '  '

/** On a terminal, rows are truncated to its width. */
export class Table<T> {
  readonly #columns: readonly Column<T>[]
  readonly #widths: readonly number[]

  /** `rows`: determine the width of columns without one. */
  constructor(columns: readonly Column<T>[], rows: readonly T[]) {
    this.#columns = columns.map((column) =>
      rows.some((row) => typeof column.value(row) === 'number')
        ? { ...column, align: 'right' }
        : column,
    )
    this.#widths = columns.map(
      ({ title, value, width }) =>
        width ??
        rows.reduce(
          (most, row) => Math.max(most, measure(escapeControls(String(value(row)))).width),
          title.length,
        ),
    )
  }

  header(): string {
    return this.#line(({ title }) => [title.toUpperCase(), 'gray'])
  }

  row(row: T): string {
    return this.#line(({ value, style }) => [escapeControls(String(value(row))), style?.(row)])
  }

  #line(cell: (column: Column<T>) => [text: string, style: Style | undefined]): string {
    let left = (io.stdout.isTTY ? io.stdout.columns : undefined) ?? Number.POSITIVE_INFINITY
    const cells: string[] = []
    for (const [index, column] of this.#columns.entries()) {
      const [text, style] = cell(column)
      const cut = truncate(text, left)
      const used = measure(cut).width
      const isLast = index === this.#columns.length - 1
      const space = ' '.repeat(Math.max(0, Math.min(this.#widths[index] ?? 0, left) - used))
      const styled = style === undefined || cut === '' ? cut : colored(style, cut)
      cells.push(column.align === 'right' ? space + styled : isLast ? styled : styled + space)
      left -= used + space.length + gap.length
      if (left <= 0) break
    }
    return cells.join(gap).trimEnd()
  }
}

export function tableText<T>(rows: readonly T[], cells: Cells<T>): string {
  const table = new Table(columnsOf(cells), rows)
  return [table.header(), ...rows.map((row) => table.row(row))].join('\n')
}

/** In terminal columns, with `…` at the end of a longer text. */
export function truncate(text: string, width: number): string {
  const { index, ellipsed } = measure(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 })
  return text.slice(0, index) + (ellipsed ? '…' : '')
}

/** With `--json` one line per row, with `--quiet` only the ID of each, or the first column of rows without IDs. */
export function printTable<E extends CliEvent, T>(
  event: E,
  rows: readonly T[],
  columns: readonly Column<T>[],
  json: (row: T) => CliLine<E>,
): void {
  const table = new Table(columns, rows)
  if (rows.length > 0 && !globals.json && !globals.quiet) writeLine(table.header())
  const [first] = columns
  const text = (row: T): string =>
    globals.quiet && first ? escapeControls(String(first.value(row))) : table.row(row)
  for (const row of rows) print(event, json(row), () => text(row))
}

/** A list of what the contract returns. `none`: what to do if there is nothing. */
export function printList<E extends CliEvent>(
  event: E,
  rows: readonly CliLine<E>[],
  cells: Cells<CliLine<E>>,
  none?: string,
): void {
  if (rows.length === 0 && none !== undefined) printMessage(none)
  printTable(event, rows, columnsOf(cells), (row) => row)
}
