import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { describeCause } from '#catalogue/signature-causes.ts'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Verdict } from '#contract/models.ts'
import { routes } from '../platform/routes.ts'
import { throwDeliveryNotFound } from '../deliveries/lookup.ts'
import { readerOf } from '../store/reader-of.ts'
import { keyringOf, type BackgroundDiagnosis } from './background-diagnosis.ts'
import { failed } from './recheck-store.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../platform/errors.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Logs } from '../event-logs/service.ts'

export interface SignaturePorts {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly logs: Logs
  readonly diagnosis: BackgroundDiagnosis
}

export const signatureRoutes = routes<SignaturePorts>()({
  /** Runs in the reader thread. The candidate secret is not stored, nor what it explains. */
  'deliveries.diagnose': async (context, { id, log, candidate }) => {
    const reader = await readerOf(context, log)
    const delivery = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    const keyring = keyringOf(context, log === null ? delivery.endpointId : null)
    const found =
      (await reader.call('diagnose', { id, keyring, candidate })) ?? throwDeliveryNotFound(id)
    if (log !== null) return ofLog(found)
    if (candidate === undefined && failed(delivery)) {
      await context.diagnosis.keep(id, delivery.causes, found)
    }
    return found
  },

  'deliveries.recheck': recheck,
})

/** An event log has no secrets, and its deliveries belong to no endpoint of this Tabscope, which therefore explains nothing. */
function ofLog(found: Diagnosis): Diagnosis {
  const { candidate, verdict } = found
  const causes = found.causes.filter(({ code }) => code !== 'endpoint.none')
  if (candidate === 'matches') {
    return {
      ...found,
      verdict: 'valid',
      conclusion:
        'The signature is valid with the secret that you entered: it is the HMAC-SHA256 of exactly the bytes of the body.',
      causes: causes.filter(({ outcome }) => outcome !== 'matches'),
    }
  }
  const noEndpoint = `${describeCause({ code: 'endpoint.none' }).title}. `
  if (!found.conclusion.startsWith(noEndpoint)) return { ...found, causes }
  const rest = found.conclusion.slice(noEndpoint.length)
  if (rest.startsWith('Found')) return { ...found, causes, conclusion: rest }
  return { ...found, causes, conclusion: uncheckedConclusion(verdict, candidate) }
}

function uncheckedConclusion(verdict: Verdict, candidate: Diagnosis['candidate']): string {
  if (verdict === 'unsigned') return 'The delivery has no signature.'
  return candidate === null
    ? 'An event log holds no secrets. To check the signature, enter the secret of the endpoint.'
    : 'The secret that you entered does not produce this signature, with or without changes. Compare it with the secret on the dashboard.'
}

const pageSize = 500
/** Until the caller tries again, if the search index is not up to date. */
const indexWaitMs = 50

/** Stores verdicts that changed with the current secrets. Each call processes a part of the deliveries. */
async function recheck(
  { store, registry, clock, bus, diagnosis }: SignaturePorts,
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
  const secrets = new Map(registry.views().map(({ id }) => [id, registry.secretsOf(id)]))
  const { verdicts, incomplete, handled } = await reader.call('recheck', {
    ids: page.ids,
    secrets,
  })
  const changed = verdicts.filter((verdict) => verdict.changed)
  const outdated = verdicts.filter((verdict) => verdict.changed || failed(verdict))
  if (outdated.length > 0) {
    await writer.call('recheck', { at, verdicts: outdated })
    diagnosis.wake()
  }
  if (changed.length > 0) {
    const ids = changed.map(({ id }) => id)
    bus.push('deliveries.changed', { rows: await reader.call('rows', ids) })
  }
  const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
  for (const { verdict } of verdicts) counts[verdict] += 1
  const all = handled === page.ids.length
  const reached = all ? Math.max(after, page.reached) : (page.ids[handled - 1] ?? after)
  return {
    counts,
    changed: changed.length,
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
