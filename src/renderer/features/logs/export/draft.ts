import type { LogFormatView, RedactionRule } from '#contract/logs.ts'
import type { KeepableClass } from '#contract/redaction.ts'
import { keepText, keptText } from '../../../platform/storage.ts'
import type { PreviewRequest } from './use-preview.ts'
import type { ExportAsk, WhatDraft } from './what.ts'
import { draftOf, whatOf } from './what.ts'

/** An export as it is being asked for. */
export interface ExportDraft {
  readonly what: WhatDraft
  readonly format: string
  readonly gzip: boolean
  readonly attempts: boolean
  readonly notes: boolean
  readonly authorization: boolean
  readonly redact: boolean
  /** Classes of values that stay in. */
  readonly keep: readonly KeepableClass[]
  /** For this time. */
  readonly rules: readonly RedactionRule[]
  /** Where a format that sends sends to; empty: to our own listener. */
  readonly target: string
}

const kept = 'tabscope.export-format'

/** Redacted, with all that belongs to it, in the format that was taken last. */
export function firstDraft(
  ask: ExportAsk,
  formats: readonly Pick<LogFormatView, 'id'>[],
  now: number,
): ExportDraft {
  const last = keptText(kept)
  return {
    what: draftOf(ask, now),
    format: formats.find(({ id }) => id === last)?.id ?? formats[0]?.id ?? 'ndjson',
    gzip: false,
    attempts: true,
    notes: true,
    authorization: true,
    redact: true,
    keep: [],
    rules: [],
    target: '',
  }
}

export function keepFormat(id: string): void {
  keepText(kept, id)
}

/** What is asked of the engine, for the preview as for the export itself. */
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
    // Without redaction there is nothing for a rule to do.
    rules: draft.redact ? [...draft.rules] : [],
    keep: draft.redact ? [...draft.keep] : [],
    gzip: draft.gzip && format?.gzip === true,
    target: format?.sends === true ? draft.target.trim() : '',
    with: { attempts, notes, authorization },
  }
}
