import { filterFields } from '#contract/filter/fields.ts'
import { printLiteral } from '#contract/filter/print.ts'
import type { defineCommand } from '../command-line/command.ts'
import { choice, collect, collected, time } from '../command-line/values.ts'
import { filterOf } from '../command-line/filter-option.ts'
import { nearestOf } from '../command-line/nearest.ts'
import { UsageError } from '../command-line/errors.ts'

/** A delivery must match all of them. */
export interface Selection {
  readonly filter?: string | undefined
  readonly type?: readonly string[] | undefined
  readonly verdict?: readonly string[] | undefined
  readonly finding?: readonly string[] | undefined
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined
  readonly before?: number | undefined
}

const verdicts =
  filterFields.find(({ name }) => name === 'verdict')?.choices.map(({ value }) => value) ?? []

/** The command must not have other options yet. */
export function withSelection(command: ReturnType<typeof defineCommand>) {
  return command
    .option('-f, --filter <filter>', 'Only deliveries that match this filter')
    .option('--type <type>', 'Only this event type (repeatable)', collect)
    .option(
      '--verdict <verdict>',
      `Only this verdict: ${verdicts.join(', ')} (repeatable)`,
      collected(choice('--verdict', verdicts)),
    )
    .option(
      '--finding <code>',
      'Only deliveries with this finding, such as header.* (repeatable)',
      collect,
    )
    .option(
      '--since <time>',
      'Only deliveries received since, such as 2h or tuesday',
      time('--since'),
    )
    .option('--before <time>', 'Only deliveries received before', time('--before'))
}

export function selects({ filter, type, verdict, finding, since, before }: Selection): boolean {
  return [filter, type, verdict, finding, since, before].some((given) => given !== undefined)
}

/** Empty if nothing is selected. Throws `UsageError`. */
export async function selectionOf(selection: Selection): Promise<string> {
  const filter = filterOf(selection.filter).trim()
  const { type = [], verdict = [], finding = [], since, before } = selection
  await assertKnown(type, finding)
  const terms = [
    ...(type.length === 0 ? [] : [`type:${type.map(printLiteral).join(',')}`]),
    ...(verdict.length === 0 ? [] : [`verdict:${verdict.join(',')}`]),
    ...(finding.length === 0 ? [] : [`finding:${finding.join(',')}`]),
    ...(since === undefined ? [] : [`since:${new Date(since).toISOString()}`]),
    ...(before === undefined ? [] : [`before:${new Date(before).toISOString()}`]),
  ]
  if (terms.length === 0) return filter
  return [...(filter === '' ? [] : [`(${filter})`]), ...terms].join(' ')
}

/** Unknown types and codes are most likely misspelled. */
async function assertKnown(types: readonly string[], codes: readonly string[]): Promise<void> {
  if (types.length > 0) {
    const { eventTypes } = await import('#catalogue/catalogue.ts')
    const known = ['none', ...eventTypes.map(({ type }) => type)]
    for (const type of types) assertIn(known, type, 'event type', 'type')
  }
  if (codes.length > 0) {
    const { findingCodes } = await import('#catalogue/findings.ts')
    const known = ['none', ...findingCodes.map(({ code }) => code)]
    for (const code of codes) {
      if (!/^[a-z_]+\.\*$/.test(code)) assertIn(known, code, 'finding', 'finding')
    }
  }
}

function assertIn(known: readonly string[], word: string, what: string, field: string): void {
  if (known.includes(word)) return
  const near = nearestOf(word, known)
  const hint =
    near === undefined
      ? ` To use it anyway: --filter '${field}:${printLiteral(word)}'`
      : ` Did you mean ${near}?`
  throw new UsageError(`Unknown ${what} "${word}".${hint}`)
}
