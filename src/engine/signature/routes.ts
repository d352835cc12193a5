import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { throwDeliveryNotFound, readerOf } from '../deliveries/lookup.ts'
import type { Keyring, KnownEndpoint, NamedSecret, SecretState } from './diagnose/subject.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../platform/errors.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Logs } from '../event-logs/service.ts'

/** What the calls of signature checks use. */
export interface SignaturePorts {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly logs: Logs
}

/** The calls of signature checks, by name. */
export function signatureRoutes(ports: SignaturePorts) {
  return {
    'deliveries.diagnose': (input: ParsedInput<'deliveries.diagnose'>) => diagnose(ports, input),
    'deliveries.recheck': (input: ParsedInput<'deliveries.recheck'>) => recheck(ports, input),
  } satisfies Partial<Handlers>
}

/** Tries every cause on the bytes as kept, in the reader thread. The candidate lives in this call alone. */
async function diagnose(
  context: SignaturePorts,
  { id, log, candidate }: ParsedInput<'deliveries.diagnose'>,
): Promise<CallOutput<'deliveries.diagnose'>> {
  const reader = await readerOf(context, log)
  const delivery = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  const keyring = keyringOf(context, log === null ? delivery.endpointId : null)
  return (await reader.call('diagnose', { id, keyring, candidate })) ?? throwDeliveryNotFound(id)
}

/** Whatever may have signed a delivery to this endpoint: all the secrets that there are, with what they are called. */
function keyringOf({ registry, integrations }: SignaturePorts, endpointId: number | null): Keyring {
  const views = registry.views()
  const own = views.find(({ id }) => id === endpointId)
  const others = views.filter(({ id }) => id !== endpointId)
  const secrets = new Map(
    registry.secretsOf(own?.id ?? null).map(({ name, secret }) => [name, secret]),
  )
  const endpoint: KnownEndpoint | 'deleted' | null = own
    ? {
        name: own.name,
        applicationId: own.applicationId,
        current: stateOf(own.secret),
        previous: stateOf(own.previousSecret),
      }
    : endpointId === null
      ? null
      : 'deleted'
  return {
    endpoint,
    current: secrets.get('current') ?? null,
    previous: secrets.get('previous') ?? null,
    others: others.flatMap(({ id, name }) =>
      registry.secretsOf(id).map((each) => ({
        words: `the ${each.name} secret of the endpoint “${name}”`,
        secret: each.secret,
      })),
    ),
    access: integrations.views().flatMap(({ id, name, accessSecret }) =>
      accessSecret.set && !accessSecret.unavailable
        ? [
            {
              words: `the API access secret of the integration “${name}”`,
              secret: integrations.accessSecret(id),
            },
          ]
        : [],
    ),
    identifiers: [
      ...integrations
        .views()
        .map(({ name, accessId }) => identifier(`the access id of “${name}”`, accessId)),
      ...views.map(({ name, applicationId }) =>
        identifier(`the application id of the endpoint “${name}”`, applicationId),
      ),
    ].flat(),
    applications: others.flatMap(({ name, applicationId }) =>
      applicationId === '' ? [] : [{ endpoint: name, id: applicationId }],
    ),
  }
}

function identifier(words: string, value: string): NamedSecret[] {
  return value === '' ? [] : [{ words, secret: value }]
}

function stateOf(view: { readonly set: boolean; readonly unavailable: boolean }): SecretState {
  if (!view.set) return 'none'
  return view.unavailable ? 'unavailable' : 'set'
}

/** So many are asked for together. */
const atOnce = 500
/** How long it is waited for a search index that is behind before the caller asks again, in milliseconds. */
const behindMs = 50

/** Checks signatures again with the current secrets, some with each call, and records what is different now. */
async function recheck(
  { store, registry, clock, bus }: SignaturePorts,
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
