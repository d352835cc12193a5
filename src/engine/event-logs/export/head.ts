import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import { type RedactionRule } from '#contract/logs.ts'
import {
  keepableClasses,
  redactedValues,
  redactionLimits,
  type KeepableClass,
} from '#contract/redaction.ts'
import type { LogSource } from '../read/source.ts'

export const notRedacted =
  'Not redacted: this file holds all values as they were received. Give it only to those who may see all of it.'

/** What a reader of a redacted file must know, as sentences. `keep`: the classes that stay in. */
export function redactedNote(keep: readonly KeepableClass[]): string {
  const replaced = (['secrets', ...keepableClasses] as const).filter(
    (one) => one === 'secrets' || !keep.includes(one),
  )
  const kept = keepableClasses.filter((one) => keep.includes(one))
  return [
    `Replaced by pseudonyms, the same for the same value in this file: ${replaced.map(described).join('; ')}.`,
    ...(kept.length === 0
      ? []
      : [`Kept by choice: ${kept.map((one) => labelOf(one)).join(', ')}.`]),
    redactionLimits,
    'Of a redacted body, the digest and the length as captured are left out, so its signature cannot be verified again.',
  ].join(' ')
}

function described(one: keyof typeof redactedValues): string {
  return `${labelOf(one)} (${redactedValues[one].values})`
}

function labelOf(one: keyof typeof redactedValues): string {
  const { label } = redactedValues[one]
  return one === 'network' ? label : label.toLowerCase()
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
