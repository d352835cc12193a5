import type { CallInput } from '#contract/calls.ts'
import { plural } from '#shared/text/format.ts'
import { shortText } from '#kit/text/visible.ts'
import { filterFault } from '#client/state/filter.ts'
import type { LogFormatView } from '#contract/logs.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { loadText } from '#kit/storage.ts'
import type { PreviewRequest } from './PreviewPane.tsx'
import { create } from 'zustand'

export type Which = 'none' | 'all' | 'filter' | 'selected' | 'trace'

/** Where the export dialog was opened, and what can be exported there. */
export interface ExportAsk {
  /** Null: the live store. */
  readonly log: number | null
  /** The initial choice. */
  readonly which: Which
  readonly filter: string
  /** The IDs of selected deliveries; null if none are selected. */
  readonly selected: readonly number[] | null
  /** The delivery whose trace can be exported. */
  readonly traceOf: { readonly id: number; readonly title: string } | null
  /** The rehearsal that was opened, and the IDs of all runs of its target; null for none. */
  readonly rehearsal: { readonly id: number; readonly ofTarget: readonly number[] } | null
}

/** The deliveries to export, as entered in the form. */
export interface WhatDraft {
  readonly which: Which
  readonly filter: string
}

const maxSelected = 100_000

export type WhatErrors = Partial<Record<'filter' | 'selected', string>>

/** The errors in a draft. Only the fields in use are checked. */
export function whatErrors(ask: ExportAsk, draft: WhatDraft): WhatErrors {
  const filterProblem = draft.which === 'filter' ? filterFault(draft.filter) : null
  const selectedCount = draft.which === 'selected' ? (ask.selected?.length ?? 0) : 0
  return {
    ...(filterProblem === null ? {} : { filter: filterProblem.message }),
    ...(selectedCount > maxSelected
      ? { selected: 'You can export at most 100,000 selected deliveries. Use a filter instead.' }
      : {}),
  }
}

/** The deliveries to export, for the engine. The draft must have no errors. */
export function whatOf(
  ask: ExportAsk,
  draft: WhatDraft,
): NonNullable<CallInput<'logs.export'>['what']> {
  const { which } = draft
  return {
    log: ask.log,
    filter: which === 'filter' ? draft.filter.trim() : '',
    ids:
      which === 'none'
        ? []
        : which === 'selected' && ask.selected !== null
          ? [...ask.selected]
          : null,
    traceOf: which === 'trace' ? (ask.traceOf?.id ?? null) : null,
    from: null,
    to: null,
  }
}

export function choices(ask: ExportAsk): { readonly which: Which; readonly label: string }[] {
  const { log, selected, traceOf, rehearsal } = ask
  const specific: { which: Which; label: string }[] = []
  if (selected !== null) {
    specific.push({
      which: 'selected',
      label:
        selected.length === 1 && traceOf !== null && selected[0] === traceOf.id
          ? `Only “${shortText(traceOf.title, 60)}”`
          : plural(selected.length, 'selected delivery', 'selected deliveries'),
    })
  }
  if (traceOf !== null)
    specific.push({ which: 'trace', label: `The trace of “${shortText(traceOf.title, 60)}”` })
  if (rehearsal !== null) specific.push({ which: 'none', label: 'None, only the rehearsal' })
  return [
    ...specific,
    { which: 'all', label: log === null ? 'All deliveries' : 'All deliveries in this log' },
    { which: 'filter', label: 'Deliveries matching a filter' },
  ]
}

export type WhichRehearsals = 'none' | 'one' | 'target' | 'all'

export function rehearsalChoices({
  log,
  rehearsal,
}: ExportAsk): { readonly which: WhichRehearsals; readonly label: string }[] {
  const runs = rehearsal?.ofTarget.length ?? 0
  return [
    { which: 'none', label: 'None' },
    ...(rehearsal === null
      ? []
      : [{ which: 'one', label: `Only rehearsal ${rehearsal.id}` } as const]),
    ...(runs > 1 ? [{ which: 'target', label: `The ${runs} runs of this target` } as const] : []),
    { which: 'all', label: log === null ? 'All rehearsals' : 'All rehearsals in this log' },
  ]
}

/** The rehearsals to export, for the engine. */
export function rehearsalsOf(
  { rehearsal }: ExportAsk,
  which: WhichRehearsals,
): 'all' | 'none' | number[] {
  if (which === 'all' || which === 'none' || rehearsal === null)
    return which === 'all' ? 'all' : 'none'
  return which === 'one' ? [rehearsal.id] : [...rehearsal.ofTarget]
}

export interface ExportDraft {
  readonly what: WhatDraft
  readonly format: string
  readonly gzip: boolean
  readonly attempts: boolean
  readonly notes: boolean
  readonly authorization: boolean
  readonly rehearsals: WhichRehearsals
  readonly redact: boolean
  /** Fields to keep or mask in this export. */
  readonly choices: readonly FieldChoice[]
  /** The target URL of a format that sends requests; empty for the Tabscope listener. */
  readonly target: string
}

export const formatKey = 'tabscope.export-format'

/** The defaults: redacted, with everything that belongs to the deliveries, in the last used format. */
export function initialDraft(
  ask: ExportAsk,
  formats: readonly Pick<LogFormatView, 'id' | 'rehearsals'>[],
): ExportDraft {
  const last = loadText(formatKey)
  const usable =
    ask.rehearsal === null ? formats : formats.filter(({ rehearsals }) => rehearsals === true)
  return {
    what: { which: ask.which, filter: ask.filter },
    format: usable.find(({ id }) => id === last)?.id ?? usable[0]?.id ?? 'ndjson',
    gzip: false,
    attempts: true,
    notes: true,
    authorization: ask.which !== 'none',
    rehearsals:
      ask.rehearsal === null ? (ask.log !== null && ask.which === 'all' ? 'all' : 'none') : 'one',
    redact: true,
    choices: [],
    target: '',
  }
}

/** The request to the engine, for the preview and for the export. */
export function exportRequest(
  ask: ExportAsk,
  draft: ExportDraft,
  format: Pick<LogFormatView, 'gzip' | 'sends'> | undefined,
): PreviewRequest {
  const { attempts, notes, authorization } = draft
  return {
    what: whatOf(ask, draft.what),
    format: draft.format,
    redact: draft.redact,
    choices: draft.redact ? [...draft.choices] : [],
    gzip: draft.gzip && format?.gzip === true,
    target: format?.sends === true ? draft.target.trim() : '',
    with: {
      attempts,
      notes,
      authorization,
      rehearsals: rehearsalsOf(ask, draft.rehearsals),
    },
  }
}

/** Null: the dialog is closed. */
export const useExportDialog = create<{ readonly ask: ExportAsk | null }>(() => ({ ask: null }))

export function openExportDialog(ask: Partial<ExportAsk> & Pick<ExportAsk, 'log' | 'which'>): void {
  useExportDialog.setState({
    ask: { filter: '', selected: null, traceOf: null, rehearsal: null, ...ask },
  })
}

export function closeExportDialog(): void {
  useExportDialog.setState({ ask: null })
}
