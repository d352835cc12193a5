import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import { keepableClasses, type KeepableClass, type RedactionRule } from '#contract/logs.ts'
import type { LogSource } from '../read/source.ts'

export const notRedacted =
  'Nothing was taken out: this file holds what guests wrote and how they can be reached, values of headers, and all else as it came. Give it only to those who may see all of it.'
const classWords = {
  contacts: 'contact details of guests',
  names: 'names',
  payment: 'card and account numbers',
  network: 'IP addresses',
} as const satisfies Record<KeepableClass, string>

function wordsOf(classes: readonly KeepableClass[]): string {
  return classes.map((one) => classWords[one]).join(', ')
}

/** What a reader of a redacted file must know, as sentences. `keep`: the classes that stay in. */
export function redactedNote(keep: readonly KeepableClass[]): string {
  const replaced = wordsOf(keepableClasses.filter((one) => !keep.includes(one)))
  const kept = wordsOf(keepableClasses.filter((one) => keep.includes(one)))
  return [
    `Secrets and tokens${replaced === '' ? '' : `, ${replaced}`} were replaced by pseudonyms, the same for the same value in this file.`,
    ...(kept === '' ? [] : [`Kept by choice: ${kept}.`]),
    ...(keep.includes('names') ? [] : ['A name in free text cannot be recognized.']),
    'Of a body that was changed, digest and length as captured are left out, so it cannot be verified again.',
  ].join(' ')
}

/** The head of a log, before anything is taken out of it. `rules`: null where nothing is. */
export function headOf(
  source: Pick<LogSource, 'scope' | 'counts' | 'redaction'>,
  { app, exportedAt, rules, keep = [] }: HeadParts,
): LogHead {
  return {
    kind: 'head',
    format: 'tabscope-event-log',
    version: eventLogVersion,
    app,
    exportedAt,
    scope: source.scope,
    redaction: redactionOf(source.redaction, rules, keep),
    counts: source.counts,
  }
}

export interface HeadParts {
  readonly app: string
  /** ISO 8601, UTC. */
  readonly exportedAt: string
  readonly rules: readonly RedactionRule[] | null
  /** Classes of values that stay in. */
  readonly keep?: readonly KeepableClass[] | undefined
}

/** What was taken out before stays out, whatever is done now. */
function redactionOf(
  before: LogHead['redaction'] | null,
  rules: readonly RedactionRule[] | null,
  keep: readonly KeepableClass[],
): LogHead['redaction'] {
  const earlier = before?.on === true ? before : null
  if (rules === null) return earlier ?? { on: false, rules: [], note: notRedacted }
  const written = [...(earlier?.rules ?? []), ...rules.map(ruleText)]
  return { on: true, rules: [...new Set(written)], note: redactedNote(keep) }
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
