import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Delivery } from '#contract/models.ts'
import { routes } from '../../platform/routes.ts'
import { throwDeliveryNotFound } from '../../deliveries/store.ts'
import { readerOf } from '../../event-logs/service.ts'
import { keyringOf, quickBudget } from '../../diagnosis/background-diagnosis.ts'
import { isFailure } from '#catalogue/outcome.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { AppError } from '../../platform/errors.ts'

export const signatureRoutes = routes<Context>()({
  /** Runs in the reader thread. The candidate secret is not stored, nor what it explains. */
  'deliveries.diagnose': async (context, { id, log, candidate, computed, quick }) => {
    const reader = await readerOf(context, log)
    const delivery = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    const keyring = keyringOf(context, log === null ? delivery.endpointId : 'file')
    const found =
      (await reader.call('diagnose', {
        id,
        keyring,
        candidate,
        computed,
        ...(quick && { enough: quickBudget }),
      })) ?? throwDeliveryNotFound(id)
    if (log === null && candidate === undefined && computed === undefined && isFailed(delivery)) {
      await context.diagnosis.keep(id, delivery.causes, found)
    }
    return found
  },

  'deliveries.recheck': recheck,
})

const pageSize = 500
const indexWaitMs = 50

function isFailed({ verdict, lastAttempt }: Delivery): boolean {
  return isFailure(verdict, lastAttempt?.status ?? null)
}

async function recheck(
  { store, registry, integrations, clock, bus, diagnosis }: Context,
  { ids: selected, filter, after, upTo, asOf }: ParsedInput<'deliveries.recheck'>,
): Promise<CallOutput<'deliveries.recheck'>> {
  if ((selected === undefined) === (filter === undefined)) {
    throw new AppError('bad_input', 'Specify either the IDs of deliveries or a filter.')
  }
  const { reader, writer } = store
  const at = clock.now()
  const { newestId } = await reader.call('stats')
  const last = Math.min(upTo ?? newestId, newestId)
  const page =
    filter === undefined
      ? selectedAfter(selected ?? [], after)
      : await reader.call('idsOf', { filter, after, upTo: last, asOf: asOf ?? at, limit: pageSize })
  if (page.ids.length === 0 && !page.complete && page.reached <= after) await pause(indexWaitMs)
  const endpoints = new Map(
    registry.views().map(({ id, integrationId }) => {
      const brand = integrations.brandOf(integrationId)
      return [id, { secrets: registry.secretsOf(id), brand }] as const
    }),
  )
  const { verdicts, incomplete, handled } = await reader.call('recheck', {
    ids: page.ids,
    endpoints,
  })
  const changed = verdicts.filter((verdict) => verdict.changed)
  const outdated = verdicts.filter((verdict) => verdict.changed || isFailure(verdict.verdict, null))
  if (outdated.length > 0) {
    await writer.call('recheck', { at, verdicts: outdated })
    diagnosis.wake()
  }
  const ids = changed.map(({ id }) => id)
  if (ids.length > 0) {
    bus.push('deliveries.changed', { rows: await reader.call('rows', ids) })
  }
  const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
  for (const { verdict } of verdicts) counts[verdict] += 1
  const all = handled === page.ids.length
  const reached = all ? Math.max(after, page.reached) : (page.ids[handled - 1] ?? after)
  return {
    counts,
    changed: changed.length,
    changedIds: ids,
    incomplete,
    reached,
    upTo: last,
    asOf: asOf ?? at,
    complete: all && (filter === undefined ? page.complete : reached >= last),
  }
}

function selectedAfter(
  selected: readonly number[],
  after: number,
): { ids: number[]; reached: number; complete: boolean } {
  const left = [...new Set(selected)].filter((id) => id > after).toSorted((a, b) => a - b)
  const ids = left.slice(0, pageSize)
  return { ids, reached: ids.at(-1) ?? after, complete: ids.length === left.length }
}
