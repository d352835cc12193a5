import type { LogFormatView } from '#contract/logs.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { loadText, saveText } from '#kit/storage.ts'
import type { PreviewRequest } from './use-preview.ts'
import {
  type ExportAsk,
  type WhatDraft,
  type WhichRehearsals,
  draftOf,
  rehearsalsOf,
  whatOf,
} from './selection.ts'
import { create } from 'zustand'

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

const formatKey = 'tabscope.export-format'

/** The defaults: redacted, with everything that belongs to the deliveries, in the last used format. */
export function initialDraft(
  ask: ExportAsk,
  formats: readonly Pick<LogFormatView, 'id' | 'rehearsals'>[],
): ExportDraft {
  const last = loadText(formatKey)
  const usable =
    ask.rehearsal === null ? formats : formats.filter(({ rehearsals }) => rehearsals === true)
  return {
    what: draftOf(ask),
    format: usable.find(({ id }) => id === last)?.id ?? usable[0]?.id ?? 'ndjson',
    gzip: false,
    attempts: true,
    notes: true,
    // A rehearsal alone needs no integrations.
    authorization: ask.which !== 'none',
    // A copy of a log contains all of it.
    rehearsals:
      ask.rehearsal === null ? (ask.log !== null && ask.which === 'all' ? 'all' : 'none') : 'one',
    redact: true,
    choices: [],
    target: '',
  }
}

export function rememberFormat(id: string): void {
  saveText(formatKey, id)
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

interface ExportDialogState {
  /** Null: the dialog is closed. */
  readonly ask: ExportAsk | null
}

export const useExportDialog = create<ExportDialogState>(() => ({ ask: null }))

export function openExportDialog(ask: Partial<ExportAsk> & Pick<ExportAsk, 'log' | 'which'>): void {
  useExportDialog.setState({
    ask: { filter: '', selected: null, traceOf: null, rehearsal: null, ...ask },
  })
}

export function closeExportDialog(): void {
  useExportDialog.setState({ ask: null })
}
