import { create } from 'zustand'
import type { ListColumn } from '#contract/deliveries.ts'
import { parseJson } from '#shared/json/object.ts'
import { parsePath } from '#shared/json/path.ts'
import { loadText, saveText } from '#kit/storage.ts'

export interface ColumnDefinition {
  readonly id: string
  readonly label: string
  /** In pixels. */
  readonly width: number
  readonly align?: 'right'
  readonly mono?: boolean
}

/** Its width is what the others leave. */
const event: ColumnDefinition = { id: 'event', label: 'Event', width: 240 }

const builtIn: readonly ColumnDefinition[] = [
  { id: 'received', label: 'Received', width: 84 },
  event,
  { id: 'amount', label: 'Amount', width: 72, align: 'right', mono: true },
  { id: 'outcome', label: 'Outcome', width: 180, align: 'right' },
  { id: 'type', label: 'Type', width: 136, mono: true },
  { id: 'location', label: 'Location', width: 104 },
  { id: 'number', label: 'Number', width: 60, mono: true },
  { id: 'endpoint', label: 'Endpoint', width: 104 },
  { id: 'verdict', label: 'Signature', width: 88 },
  { id: 'response', label: 'Response', width: 72, align: 'right' },
  { id: 'handler', label: 'Your handler', width: 84, align: 'right' },
  { id: 'findings', label: 'Findings', width: 64, align: 'right' },
  { id: 'target', label: 'Target', width: 150, mono: true },
  { id: 'size', label: 'Size', width: 64, align: 'right' },
  { id: 'lag', label: 'Lag', width: 64, align: 'right' },
  { id: 'tags', label: 'Tags', width: 110 },
]

/** Never dropped, however narrow the list is. */
const core: readonly string[] = ['received', 'event', 'amount', 'outcome']

const standard: readonly ListColumn[] = [...core, 'type', 'location', 'number'].map((id) => ({
  id,
  width: null,
}))

const bodyPrefix = 'body:'

/** The path of a column that shows a value of the body; null for the others. */
export function bodyPath(id: string): string | null {
  return id.startsWith(bodyPrefix) ? id.slice(bodyPrefix.length) : null
}

/** Undefined for an ID that this version does not know. */
export function definitionOf(id: string): ColumnDefinition | undefined {
  const path = bodyPath(id)
  if (path !== null) return { id, label: path, width: 110, mono: true }
  return builtIn.find((column) => column.id === id)
}

interface ColumnsState {
  /** In order. Null: the standard ones. */
  readonly columns: readonly ListColumn[] | null
}

const key = 'tabscope.columns'

export const useListColumns = create<ColumnsState>(() => ({ columns: stored() }))

function stored(): ListColumn[] | null {
  const value = parseJson(loadText(key) ?? 'null')
  if (!Array.isArray(value)) return null
  return value.flatMap((column: unknown) => {
    if (typeof column !== 'object' || column === null || !('id' in column)) return []
    const { id } = column
    const width = 'width' in column && typeof column.width === 'number' ? column.width : null
    return typeof id === 'string' && definitionOf(id) ? [{ id, width }] : []
  })
}

/** Null: the standard ones. */
export function setColumns(columns: readonly ListColumn[] | null): void {
  saveText(key, JSON.stringify(columns))
  useListColumns.setState({ columns })
}

export function shownColumns({ columns }: ColumnsState): readonly ListColumn[] {
  return columns ?? standard
}

/** Shown ones in order, then the others. */
export function allColumns(shown: readonly ListColumn[]): readonly ColumnDefinition[] {
  const used = shown.flatMap(({ id }) => definitionOf(id) ?? [])
  return [...used, ...builtIn.filter(({ id }) => !used.some((column) => column.id === id))]
}

export function toggleColumn(id: string): void {
  const shown = shownColumns(useListColumns.getState())
  setColumns(
    shown.some((column) => column.id === id)
      ? shown.filter((column) => column.id !== id)
      : [...shown, { id, width: null }],
  )
}

/** Moves a column before (-1) or after (1) its neighbor. */
export function moveColumn(id: string, by: -1 | 1): void {
  const shown = [...shownColumns(useListColumns.getState())]
  const at = shown.findIndex((column) => column.id === id)
  const [column] = shown.splice(at, 1)
  if (!column) return
  shown.splice(Math.max(0, at + by), 0, column)
  setColumns(shown)
}

const minWidth = 40
const maxWidth = 800

export function resizeColumn(id: string, width: number): void {
  const clamped = Math.round(Math.min(maxWidth, Math.max(minWidth, width)))
  setColumns(
    shownColumns(useListColumns.getState()).map((column) =>
      column.id === id ? { id, width: clamped } : column,
    ),
  )
}

/** Returns false for an invalid path. A column that is already shown stays as it is. */
export function addBodyColumn(path: string): boolean {
  const steps = parsePath(path)
  if (steps === null) return false
  const id = `${bodyPrefix}${path}`
  const shown = shownColumns(useListColumns.getState())
  if (!shown.some((column) => column.id === id)) setColumns([...shown, { id, width: null }])
  return true
}

export interface FittedColumns {
  readonly columns: readonly (ColumnDefinition & { readonly width: number })[]
  /** Of the grid of a row. */
  readonly template: string
  /** A row has two lines: the event and its outcome, then time and amount. */
  readonly twoLines: boolean
}

const gap = 8
/** Of the check box, the mark and the padding. */
const edges = 60
const twoLinesBelow = 560

/** The columns for a list of `width` pixels: those that do not fit are dropped, the last first. `omit`: not shown unless they were chosen. */
export function fitColumns(
  { columns }: ColumnsState,
  width: number,
  omit: readonly string[],
): FittedColumns {
  const wanted = columns ?? standard.filter(({ id }) => !omit.includes(id))
  const all = wanted.flatMap(({ id, width: own }) => {
    const definition = definitionOf(id)
    return definition ? [{ ...definition, width: own ?? definition.width }] : []
  })
  if (width > 0 && width < twoLinesBelow) {
    const kept = all.filter(({ id }) => core.includes(id))
    return { columns: kept, template: '', twoLines: true }
  }
  const fits = (some: typeof all): boolean =>
    some.reduce((sum, column) => sum + column.width + gap, edges) <= width
  const shown = [...all]
  while (!fits(shown)) {
    const last = shown.findLastIndex(({ id }) => !core.includes(id))
    if (last < 0) break
    shown.splice(last, 1)
  }
  const template = shown.map(({ id, width: own }) =>
    id === event.id ? `minmax(${Math.min(own, 160)}px, 1fr)` : `${own}px`,
  )
  // Without an event column, the last one takes the rest.
  if (!shown.some(({ id }) => id === event.id)) template.push('minmax(0, 1fr)')
  return { columns: shown, template: template.join(' '), twoLines: false }
}
