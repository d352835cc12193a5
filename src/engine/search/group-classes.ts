import { causeTitle } from '#catalogue/cause-titles.ts'
import { findingCodes } from '#catalogue/findings.ts'
import type { Outcome } from '#catalogue/outcome.ts'
import type { DeliveryGroup, groupKinds } from '#contract/deliveries.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { printLiteral } from '#contract/filter/print.ts'
import type { Cause, DeliverySummary } from '#contract/models.ts'
import type { ClassKey } from './class-counts.ts'

export type GroupKind = (typeof groupKinds)[number]

/** The group of a delivery may change after it was stored. */
export const changingKinds: ReadonlySet<GroupKind> = new Set([
  'problem',
  'cause',
  'outcome',
  'handler',
  'verdict',
])

/** What is wrong. `status`: of the response that is an error; null: there was none. `code`: null: no known cause. */
interface Problem {
  readonly outcome: Outcome
  readonly status: number | null
  readonly endpointId: number | null
  readonly code: string | null
}

/** Of one result. */
export const maxGroups = 200

export interface GroupContext {
  readonly endpoints: ReadonlyMap<number, string>
  /** Codes or severities, by list of findings. */
  readonly findings: ReadonlyMap<number, readonly string[]>
}

/** The keys of the groups that a class belongs to: none for what is not grouped. */
export function keysOfClass(by: GroupKind, key: ClassKey, { findings }: GroupContext): string[] {
  switch (by) {
    case 'problem':
      return typeof key === 'string' ? problemKeys(...parseProblem(key)) : []
    case 'cause': {
      if (typeof key !== 'string') return []
      const codes = codesOf(parseCauses(key))
      return (codes.length === 0 ? [null] : codes).map(keyOf)
    }
    case 'finding':
    case 'severity':
      return (findings.get(Number(key ?? 0)) ?? []).map(keyOf)
    case 'tab':
      return key === null ? [] : [keyOf(key)]
    case 'handler':
      return [keyOf(key === 0 ? 'no_response' : key)]
    case 'outcome':
    case 'verdict':
    case 'type':
    case 'endpoint':
    case 'location':
      return [keyOf(key)]
  }
}

/** Null, which is "none" in a filter, differs from a text "none". */
function keyOf(value: ClassKey): string {
  return value === null ? '' : `=${value}`
}

type StoredProblem = [
  Outcome,
  status: number | null,
  endpointId: number | null,
  causes: string | null,
]

function parseProblem(text: string): Parameters<typeof problemKeys> {
  const [outcome, status, endpointId, causes]: StoredProblem = JSON.parse(text)
  return [outcome, status, endpointId, parseCauses(causes)]
}

function parseCauses(text: string | null): Cause[] {
  const causes: Cause[] = text === null ? [] : JSON.parse(text)
  return causes
}

function codesOf(causes: readonly Cause[]): string[] {
  return [...new Set(causes.map(({ code }) => code))]
}

function problemKeys(
  outcome: Outcome,
  status: number | null,
  endpointId: number | null,
  causes: readonly Cause[],
): string[] {
  const all = codesOf(causes)
  // The signature is in another header: one problem, not two.
  const codes = all.length > 1 ? all.filter((code) => code !== 'header.missing') : all
  return (codes.length > 0 ? codes : [null]).map((code) =>
    JSON.stringify({ outcome, status, endpointId, code } satisfies Problem),
  )
}

/** `last`: a delivery of the group. */
export function describeGroup(
  by: GroupKind,
  key: string,
  last: DeliverySummary,
  context: Pick<GroupContext, 'endpoints'>,
): Pick<DeliveryGroup, 'label' | 'term' | 'value'> {
  if (by === 'problem') {
    const problem: Problem = JSON.parse(key)
    return { label: problemLabel(problem, last), term: problemTerm(problem), value: null }
  }
  const value = key === '' ? null : key.slice(1)
  const written = value === null ? 'none' : value === 'none' ? '"none"' : printLiteral(value)
  return {
    label: value === null ? (noneLabels[by] ?? 'None') : labelOf(by, value, last, context),
    term: `${by}:${written}`,
    value: value ?? 'none',
  }
}

const noneLabels: Readonly<Partial<Record<GroupKind, string>>> = {
  cause: 'Cause not found',
  handler: 'Not sent to your handler',
  type: 'No type',
  endpoint: 'No endpoint',
  location: 'No location',
}

function labelOf(
  by: Exclude<GroupKind, 'problem'>,
  value: string,
  { facts }: DeliverySummary,
  { endpoints }: Pick<GroupContext, 'endpoints'>,
): string {
  switch (by) {
    case 'cause':
      return causeTitle(value)
    case 'tab':
      return `Tab ${facts?.tab?.name ?? value}`
    case 'endpoint':
      return endpoints.get(Number(value)) ?? `Deleted endpoint ${value}`
    case 'handler':
      return value === 'no_response' ? 'No response' : `Response ${value}`
    case 'outcome':
    case 'verdict':
      return (
        fieldOf(by)
          ?.choices.find((choice) => choice.value === value)
          ?.meaning.replace(/\.$/, '') ?? value
      )
    case 'finding':
      return findingCodes.find(({ code }) => code === value)?.title.replace(/\.$/, '') ?? value
    case 'severity':
    case 'type':
    case 'location':
      return value
  }
}

function problemLabel({ outcome, status, code }: Problem, last: DeliverySummary): string {
  const found = last.causes?.find((each) => each.code === code)
  const header = code === 'header.other_name' ? found?.values?.['header'] : undefined
  const cause =
    code === null ? null : header === undefined ? causeTitle(code) : `The signature is in ${header}`
  switch (outcome) {
    case 'invalid':
      return cause ?? 'Signature is invalid, cause not found'
    case 'missing':
      return cause ?? 'Signature is missing'
    case 'rejected': {
      if (status === null) return 'Your handler did not respond'
      const why =
        found === undefined
          ? ''
          : found.code !== 'handler.serialized'
            ? `: ${causeTitle(found.code)}`
            : found.values?.['writes'] === undefined
              ? ''
              : ': it probably re-serializes the JSON'
      return `${last.verdict === 'valid' ? 'Valid here, rejected' : 'Rejected'} by your handler with ${status}${why}`
    }
    case 'refused':
      return status === null ? 'Got no response from Tabscope' : `Tabscope responded with ${status}`
    case 'ok':
      return ''
  }
}

function problemTerm({ outcome, status, endpointId, code }: Problem): string {
  return [
    `outcome:${outcome}`,
    ...(outcome === 'rejected' ? [`handler:${status ?? 'no_response'}`] : []),
    ...(outcome === 'refused' ? [`status:${status ?? 'none'} answered:none`] : []),
    code === null ? '-cause:*' : `cause:${printLiteral(code)}`,
    `endpoint:${endpointId ?? 'none'}`,
  ].join(' ')
}
