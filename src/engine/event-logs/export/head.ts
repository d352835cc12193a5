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
  'Not redacted: this file contains all values as received. Share it only with people who may see all of it.'

/** What the reader of a redacted file must know, as sentences. `keep`: the classes that are not redacted. */
export function redactedNote(keep: readonly KeepableClass[]): string {
  const replacedClasses = (['secrets', ...keepableClasses] as const).filter(
    (name) => name === 'secrets' || !keep.includes(name),
  )
  const keptClasses = keepableClasses.filter((name) => keep.includes(name))
  return [
    `Replaced by pseudonyms, the same for the same value in this file: ${replacedClasses.map(describeClass).join('; ')}.`,
    ...(keptClasses.length === 0
      ? []
      : [`Not replaced, as selected: ${keptClasses.map((name) => labelOf(name)).join(', ')}.`]),
    redactionLimits,
    'The captured digest and length of a redacted body are left out, so its signature cannot be verified again.',
  ].join(' ')
}

function describeClass(name: keyof typeof redactedValues): string {
  return `${labelOf(name)} (${redactedValues[name].values})`
}

function labelOf(name: keyof typeof redactedValues): string {
  const { label } = redactedValues[name]
  return name === 'network' ? label : label.toLowerCase()
}

/** `rules`: null if nothing is redacted. */
export function createLogHead(
  source: Pick<LogSource, 'scope' | 'counts' | 'redaction'>,
  { app, exportedAt, rules, keep = [] }: HeadOptions,
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

export interface HeadOptions {
  readonly app: string
  /** ISO 8601, UTC. */
  readonly exportedAt: string
  readonly rules: readonly RedactionRule[] | null
  readonly keep?: readonly KeepableClass[] | undefined
}

/** A log that was redacted earlier stays marked as redacted, even if this export redacts nothing. */
function redactionOf(
  origin: LogHead['redaction'] | null,
  rules: readonly RedactionRule[] | null,
  keep: readonly KeepableClass[],
): LogHead['redaction'] {
  const earlier = origin?.on === true ? origin : null
  if (rules === null) return earlier ?? { on: false, rules: [], note: notRedacted }
  const ruleTexts = [...(earlier?.rules ?? []), ...rules.map(formatRule)]
  return { on: true, rules: [...new Set(ruleTexts)], note: redactedNote(keep) }
}

export function formatRule(rule: RedactionRule): string {
  switch (rule.kind) {
    case 'header':
      return `header ${rule.name}`
    case 'path':
      return rule.path
  }
}
