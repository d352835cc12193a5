import { setTimeout as pause } from 'node:timers/promises'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Cause } from '#contract/models.ts'
import { maxCauses } from '#contract/constants.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { createChangedRows } from '../deliveries/changed-rows.ts'
import type { EndpointRegistry } from '../receiving/endpoints/registry.ts'
import type { IntegrationRegistry } from '../receiving/integrations/registry.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Log } from '../platform/ports.ts'
import type { StorePort } from '../platform/store/store-port.ts'
import type { readByIds } from '../deliveries/store.ts'
import type { diagnoseStored } from './diagnose.ts'
import type { Keyring, NamedSecret, SecretState } from './subject.ts'
import type { readUndiagnosed, Undiagnosed, writeCauses } from './recheck-store.ts'

/** A call on demand has more time, and its result is stored as well. */
export const quickBudget = { ms: 300, tries: 0 }
/** On a busy machine fewer are tried in that time, and what is likely may not be found. */
const backgroundBudget = { ms: 300, tries: 30_000 }
/** After so many deliveries of an endpoint without a cause, the next ones have none either: mostly, the secret is another one. */
const manyUnexplained = 5
const shortBudget = { ms: 60, tries: 0 }
const batchSize = 20
/** While deliveries keep arriving, so that the diagnosis leaves most of a processor to them. */
const pauseMs = 250

export interface DiagnosisPorts {
  readonly bus: Pick<Bus, 'push'>
  readonly log: Pick<Log, 'error'>
  readonly store: StorePort<
    {
      undiagnosed: typeof readUndiagnosed
      diagnose: typeof diagnoseStored
      rows: typeof readByIds
    },
    { writeCauses: typeof writeCauses }
  >
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  /** Secrets cannot be decrypted yet, so that nothing can be found. */
  readonly isLocked: () => boolean
}

/**
 * Stores the causes of invalid and missing signatures, newest first, one delivery after the other. What waits is in the store, not in memory: an index
 * has the deliveries that are not diagnosed yet.
 */
export class BackgroundDiagnosis {
  readonly #ports: DiagnosisPorts
  readonly #closed = new AbortController()
  readonly #changed = createChangedRows((ids) => void this.#push(ids))
  /** For each endpoint, how many deliveries in a row have no cause. */
  readonly #unexplained = new Map<number | null, number>()
  #wanted = false
  #running: Promise<void> | null = null

  constructor(ports: DiagnosisPorts) {
    this.#ports = ports
  }

  /** Call when deliveries may have been added that are not diagnosed yet. */
  wake(): void {
    const { isLocked } = this.#ports
    if (this.#closed.signal.aborted || isLocked()) return
    this.#wanted = true
    this.#running ??= this.#run()
  }

  /** Stores what a diagnosis on demand found, unless the stored causes say more. */
  async keep(id: number, stored: readonly Cause[] | null, diagnosis: Diagnosis): Promise<void> {
    const causes = causesOf(diagnosis)
    const isNews = causes.length > 0 && JSON.stringify(causes) !== JSON.stringify(stored)
    if (stored === null || isNews) await this.#store(id, causes)
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#running
    this.#changed.stop()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed
    try {
      while (this.#wanted && !signal.aborted) {
        this.#wanted = false
        const waiting = await this.#ports.store.reader.call('undiagnosed', batchSize)
        for (const each of waiting) {
          if (signal.aborted) return
          await this.#diagnose(each)
        }
        if (waiting.length < batchSize) continue
        if (this.#wanted) await pause(pauseMs, undefined, { signal })
        this.#wanted = true
      }
    } catch (error) {
      if (!signal.aborted) this.#ports.log.error('deliveries could not be diagnosed', error)
    } finally {
      // In the same turn as the check of `#wanted`, so that a later call starts another run.
      this.#running = null
    }
  }

  async #diagnose({ id, endpointId }: Undiagnosed): Promise<void> {
    const { store, log } = this.#ports
    const keyring = keyringOf(this.#ports, endpointId)
    const unexplained = this.#unexplained.get(endpointId) ?? 0
    const enough = unexplained >= manyUnexplained ? shortBudget : backgroundBudget
    try {
      const found = await store.reader.call('diagnose', { id, keyring, enough })
      const causes = found ? causesOf(found) : []
      this.#unexplained.set(endpointId, causes.length > 0 ? 0 : unexplained + 1)
      await this.#store(id, causes)
    } catch (error) {
      if (this.#closed.signal.aborted) throw error
      log.error(`delivery ${id} could not be diagnosed`, error)
      // Otherwise it would come up again and delay the others.
      await this.#store(id, [])
    }
  }

  async #store(id: number, causes: readonly Cause[]): Promise<void> {
    await this.#ports.store.writer.call('writeCauses', { id, causes })
    this.#changed.add([id])
  }

  async #push(ids: number[]): Promise<void> {
    const { bus, store, log } = this.#ports
    try {
      const rows = await store.reader.call('rows', ids)
      if (rows.length > 0) bus.push('deliveries.changed', { rows })
    } catch (error) {
      if (!this.#closed.signal.aborted) log.error('diagnosed deliveries could not be read', error)
    }
  }
}

/** If the signature is valid with the current secrets, why the handler rejects it. */
function causesOf({ verdict, causes, rejected }: Diagnosis): Cause[] {
  if (verdict === 'valid') return rejected ? [rejected] : []
  return causes
    .filter(({ outcome }) => outcome === 'matches')
    .slice(0, maxCauses)
    .map(({ code, where, values }) => ({ code, where, ...(values && { values }) }))
}

/** All secrets that may have signed a delivery to this endpoint, or one in a file. */
export function keyringOf(
  { registry, integrations }: Pick<DiagnosisPorts, 'registry' | 'integrations'>,
  endpointId: number | null | 'file',
): Keyring {
  const views = registry.views()
  const own = views.find(({ id }) => id === endpointId)
  const others = views.filter(({ id }) => id !== endpointId)
  const secrets = new Map(
    registry.secretsOf(own?.id ?? null).map(({ name, secret }) => [name, secret]),
  )
  const endpoint: Keyring['endpoint'] = own
    ? {
        name: own.name,
        applicationId: own.applicationId,
        current: stateOf(own.secret),
        previous: stateOf(own.previousSecret),
      }
    : endpointId === null || endpointId === 'file'
      ? endpointId
      : 'deleted'
  return {
    endpoint,
    brand: currentBrand({ registry, integrations }, own?.id ?? null),
    current: secrets.get('current') ?? null,
    previous: secrets.get('previous') ?? null,
    others: others.flatMap(({ id, name }) =>
      registry.secretsOf(id).map((named) => ({
        words: `the ${named.name} secret of the endpoint ${quoteForeign(name)}`,
        secret: named.secret,
      })),
    ),
    access: integrations.views().flatMap(({ id, name, accessSecret }) =>
      accessSecret.set && !accessSecret.unavailable
        ? [
            {
              words: `the API access secret of the integration ${quoteForeign(name)}`,
              secret: integrations.accessSecret(id),
            },
          ]
        : [],
    ),
    identifiers: [
      ...integrations
        .views()
        .map(({ name, accessId }) =>
          identifier(`the access ID of ${quoteForeign(name)}`, accessId),
        ),
      ...views.map(({ name, applicationId }) =>
        identifier(`the application ID of the endpoint ${quoteForeign(name)}`, applicationId),
      ),
    ].flat(),
    applications: others.flatMap(({ name, applicationId }) =>
      applicationId === '' ? [] : [{ endpoint: name, id: applicationId }],
    ),
  }
}

/** Undefined: it belongs to no endpoint. */
export function currentBrand(
  { registry, integrations }: Pick<DiagnosisPorts, 'registry' | 'integrations'>,
  endpointId: number | null,
): string | undefined {
  const endpoint = registry.views().find(({ id }) => id === endpointId)
  return endpoint && integrations.brandOf(endpoint.integrationId)
}

function identifier(words: string, value: string): NamedSecret[] {
  return value === '' ? [] : [{ words, secret: value }]
}

function stateOf(view: { readonly set: boolean; readonly unavailable: boolean }): SecretState {
  if (!view.set) return 'none'
  return view.unavailable ? 'unavailable' : 'set'
}
