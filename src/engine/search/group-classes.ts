import { severityOf } from '#catalogue/findings.ts'
import { causeTitle } from '#catalogue/cause-titles.ts'
import { outcomeOf, type Outcome } from '#catalogue/outcome.ts'
import type { groupKinds } from '#contract/deliveries.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { printValue } from '#contract/filter/print.ts'
import type { Cause, DeliverySummary } from '#contract/models.ts'
import type { ClassKey } from './timeline-classes.ts'

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
    case 'cause':
      return typeof key === 'string' ? codesOf(parseCauses(key)) : []
    case 'finding':
    case 'severity':
      return [...(findings.get(Number(key ?? 0)) ?? [])]
    case 'tab':
      return key === null ? [] : [String(key)]
    case 'handler':
      return [key === null ? 'none' : key === 0 ? 'no_response' : String(key)]
    case 'outcome':
    case 'verdict':
    case 'type':
    case 'endpoint':
    case 'location':
      return [key === null ? '' : `=${key}`]
  }
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
  const codes = codesOf(causes)
  return (codes.length > 0 ? codes : [null]).map((code) =>
    JSON.stringify({ outcome, status, endpointId, code } satisfies Problem),
  )
}

/** As the classes of the store, for a row of an exported page. */
export function groupsOfRow(by: GroupKind, row: DeliverySummary): string[] {
  const noContext = { endpoints: new Map(), findings: new Map() }
  const outcome = outcomeOf(row)
  const sent = row.lastAttempt === null ? null : (row.lastAttempt.status ?? 0)
  switch (by) {
    case 'problem': {
      if (outcome === 'ok' || (outcome === 'refused' && row.respondedBy !== null)) return []
      const status =
        outcome === 'rejected' ? sent || null : outcome === 'refused' ? row.status : null
      return problemKeys(outcome, status, row.endpointId, row.causes ?? [])
    }
    case 'cause':
      return codesOf(row.causes ?? [])
    case 'finding':
      return [...new Set(row.findings.map(({ code }) => code))]
    case 'severity':
      return [...new Set(row.findings.map(severityOf))]
    case 'outcome':
      return keysOfClass(by, outcome, noContext)
    case 'handler':
      return keysOfClass(by, sent, noContext)
    case 'verdict':
      return keysOfClass(by, row.verdict, noContext)
    case 'type':
      return keysOfClass(by, row.type, noContext)
    case 'tab':
      return keysOfClass(by, row.facts?.tab?.id ?? null, noContext)
    case 'endpoint':
      return keysOfClass(by, row.endpointId, noContext)
    case 'location':
      return keysOfClass(by, row.locationName, noContext)
  }
}

function literal(text: string): string {
  return printValue({ text, quoted: true })
}

/** `last`: a delivery of the group. */
export function describeGroup(
  by: GroupKind,
  key: string,
  last: DeliverySummary,
  { endpoints }: Pick<GroupContext, 'endpoints'>,
): { readonly label: string; readonly term: string } {
  const value = key.slice(1)
  const endpointName = (id: number | null): string =>
    id === null ? 'no endpoint' : (endpoints.get(id) ?? `deleted endpoint ${id}`)
  switch (by) {
    case 'problem': {
      const problem: Problem = JSON.parse(key)
      return { label: problemLabel(problem, last), term: problemTerm(problem) }
    }
    case 'cause':
      return { label: causeTitle(key), term: `cause:${literal(key)}` }
    case 'finding':
    case 'severity':
      return { label: key, term: `${by}:${literal(key)}` }
    case 'tab':
      return { label: `Tab ${last.facts?.tab?.name ?? key}`, term: `tab:${literal(key)}` }
    case 'handler':
      return { label: handlerLabel(key), term: `handler:${key}` }
    case 'outcome':
    case 'verdict':
      return {
        label: fieldOf(by)?.choices.find((choice) => choice.value === value)?.meaning ?? value,
        term: `${by}:${value}`,
      }
    case 'type':
      return key === ''
        ? { label: 'No type', term: 'type:none' }
        : { label: value, term: `type:${literal(value)}` }
    case 'endpoint':
      return key === ''
        ? { label: 'No endpoint', term: 'endpoint:none' }
        : { label: endpointName(Number(value)), term: `endpoint:${value}` }
    case 'location':
      return key === ''
        ? { label: 'No location', term: 'location:none' }
        : { label: value, term: `location:${literal(value)}` }
  }
}

function handlerLabel(key: string): string {
  if (key === 'none') return 'Not sent to your handler'
  if (key === 'no_response') return 'Your handler did not respond'
  return `Your handler responded with ${key}`
}

function problemLabel({ outcome, status, code }: Problem, last: DeliverySummary): string {
  const cause = code === null ? null : causeTitle(code)
  switch (outcome) {
    case 'invalid':
      return cause ?? 'Signature is invalid, cause not found'
    case 'missing':
      return cause ?? 'Signature is missing'
    case 'rejected': {
      if (status === null) return 'Your handler did not respond'
      const known = last.causes?.find((each) => each.code === code)?.values?.['writes']
      const why = known === undefined ? '' : ': it probably re-serializes the JSON'
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
    code === null ? '-cause:*' : `cause:${literal(code)}`,
    `endpoint:${endpointId ?? 'none'}`,
  ].join(' ')
}
