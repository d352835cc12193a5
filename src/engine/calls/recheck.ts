import { setTimeout as pause } from 'node:timers/promises'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

/** So many are asked for together. */
const atOnce = 500
/** How long it is waited for a search index that is behind before the caller asks again, in milliseconds. */
const behindMs = 50

/** Checks signatures again with the current secrets, some with each call, and records what is different now. */
export async function recheck(
  { store, registry, clock, bus }: Context,
  { ids: selected, filter, after, upTo, asOf }: ParsedInput<'deliveries.recheck'>,
): Promise<CallOutput<'deliveries.recheck'>> {
  if ((selected === undefined) === (filter === undefined)) {
    throw new AppError('bad_input', 'Give either the ids of deliveries or a filter.')
  }
  const { reader, writer } = store
  const at = clock.now()
  if (upTo === null) await writer.call('level')
  const { newestId } = await reader.call('stats')
  const last = Math.min(upTo ?? newestId, newestId)
  const found =
    filter === undefined
      ? selectedAfter(selected ?? [], after)
      : await reader.call('idsOf', { filter, after, upTo: last, asOf: asOf ?? at, limit: atOnce })
  if (found.ids.length === 0 && !found.complete && found.reached <= after) await pause(behindMs)
  const secrets = new Map(registry.views().map(({ id }) => [id, registry.secretsOf(id)]))
  const { verdicts, incomplete, handled } = await reader.call('recheck', {
    ids: found.ids,
    secrets,
  })
  const changed = verdicts.filter((each) => each.changed)
  if (changed.length > 0) {
    bus.push('deliveries.changed', {
      rows: await writer.call('recheck', { at, verdicts: changed }),
    })
  }
  const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
  for (const { verdict } of verdicts) counts[verdict] += 1
  const all = handled === found.ids.length
  const reached = all ? Math.max(after, found.reached) : (found.ids[handled - 1] ?? after)
  return {
    counts,
    changed: changed.length,
    incomplete,
    reached,
    upTo: last,
    asOf: asOf ?? at,
    complete: all && (filter === undefined ? found.complete : reached >= last),
  }
}

function selectedAfter(
  selected: readonly number[],
  after: number,
): { ids: number[]; reached: number; complete: boolean } {
  const left = [...new Set(selected)].filter((id) => id > after).toSorted((a, b) => a - b)
  const ids = left.slice(0, atOnce)
  return { ids, reached: ids.at(-1) ?? after, complete: ids.length === left.length }
}
