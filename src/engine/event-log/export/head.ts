import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import type { RedactionRule } from '#contract/logs.ts'
import type { LogSource } from '../read/source.ts'

export const notRedacted =
  'Nothing was taken out: this file holds what guests wrote and how they can be reached, values of headers, and all else as it came. Give it only to those who may see all of it.'
export const redacted =
  'Secrets, tokens, codes and what tells who a guest is were replaced by pseudonyms, the same for the same value in this file. Of a body that was changed so, digest and length as captured are left out: it cannot be verified again.'

/** The head of a log, before anything is taken out of it. `rules`: null where nothing is. */
export function headOf(
  source: Pick<LogSource, 'scope' | 'counts' | 'redaction'>,
  { app, exportedAt, rules }: HeadParts,
): LogHead {
  return {
    kind: 'head',
    format: 'tabscope-event-log',
    version: eventLogVersion,
    app,
    exportedAt,
    scope: source.scope,
    redaction: redactionOf(source.redaction, rules),
    counts: source.counts,
  }
}

export interface HeadParts {
  readonly app: string
  /** ISO 8601, UTC. */
  readonly exportedAt: string
  readonly rules: readonly RedactionRule[] | null
}

/** What was taken out before stays out, whatever is done now. */
function redactionOf(
  before: LogHead['redaction'] | null,
  rules: readonly RedactionRule[] | null,
): LogHead['redaction'] {
  const earlier = before?.on === true ? before : null
  if (rules === null) return earlier ?? { on: false, rules: [], note: notRedacted }
  const written = [...(earlier?.rules ?? []), ...rules.map(ruleText)]
  return { on: true, rules: [...new Set(written)], note: redacted }
}

/** As a person would write it down. */
export function ruleText(rule: RedactionRule): string {
  switch (rule.kind) {
    case 'header':
      return `header ${rule.name}`
    case 'path':
      return rule.path
  }
}
