import type { MessagePort } from 'node:worker_threads'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Endpoint, StoreStats } from '#contract/models.ts'
import type { RelayView } from '#contract/relay.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import type { CaptureConfig } from '../listener/messages.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { Log, SecretBox } from '../../platform/ports.ts'
import { openSecret } from '../../platform/secrets.ts'
import { Thread } from '../../platform/thread.ts'
import type { StorePort } from '../../platform/store/store-port.ts'
import { decodeInvitation, type Invitation } from './files.ts'
import { noEndpoint } from './format.ts'
import type { RelayAccess, RelayApi, RelayEvent, RelayStatus, RelayThreadData } from './messages.ts'
import type {
  deleteRelay,
  insertRelay,
  readRelayedIds,
  readRelayFacts,
  replaceRelayKey,
  restartRelay,
  updateRelay,
  RelayFacts,
  RelayRecord,
  StoredRelay,
} from '../../deliveries/relay-store.ts'
import { idleStatus, notRunning, relayView } from './view.ts'

const pushEveryMs = 250
const deletedAtOnce = 64

interface RelayStore extends StorePort<
  { relayFacts: typeof readRelayFacts; relayedIds: typeof readRelayedIds },
  {
    insertRelay: typeof insertRelay
    replaceRelayKey: typeof replaceRelayKey
    updateRelay: typeof updateRelay
    restartRelay: typeof restartRelay
    deleteRelay: typeof deleteRelay
    deleteDeliveries: (ids: readonly number[]) => {
      deleted: number
      stats: Omit<StoreStats, 'indexedId'>
    }
  }
> {
  readonly relayPort: MessagePort
  readonly initial: { readonly relays: readonly StoredRelay[] }
}

export interface RelaysPorts {
  readonly entry: URL
  readonly store: RelayStore
  readonly secrets: SecretBox
  readonly log: Log
  readonly clock: Clock
  /** False: a command that ends on its own, which follows nothing. */
  readonly follows: boolean
  readonly config: () => CaptureConfig
  readonly endpoints: () => readonly Endpoint[]
  readonly addEndpoint: (slug: string) => Promise<void>
  readonly changed: (views: RelayView[]) => void
  /** Deliveries were deleted. */
  readonly removed: (stats: Omit<StoreStats, 'indexedId'>) => void
}

interface Entry {
  stored: StoredRelay
  /** Null: it cannot be decrypted now, or there is none. */
  seed: string | null
  status: RelayStatus | null
  /** Without a status: why nothing follows it. With one: what was logged last. */
  reason: string | null
  /** Without a status: since when. */
  since: number
}

export class Relays {
  readonly #ports: RelaysPorts
  /** Only desktops with a relay load NATS. */
  readonly #thread: Thread<RelayApi, RelayEvent>
  readonly #entries = new Map<number, Entry>()
  /** Calls that change a relay wait for each other. */
  readonly #turn = createMutex()
  readonly #refreshing: Throttle
  #facts: readonly RelayFacts[] = []
  #isClosed = false

  constructor(ports: RelaysPorts) {
    this.#ports = ports
    this.#refreshing = throttle(ports.clock, pushEveryMs, () => void this.#refresh())
    const { relayPort: writer } = ports.store
    this.#thread = new Thread<RelayApi, RelayEvent>({
      entry: ports.entry,
      limits: heapLimits.relay,
      data: (): RelayThreadData => ({ writer, config: ports.config() }),
      ports: [writer],
      event: (event) => (this.#isClosed ? undefined : this.#receive(event)),
      died: (error) => this.#died(error),
    })
  }

  /** Connects to those that are not paused. */
  async open(): Promise<void> {
    const { store } = this.#ports
    for (const stored of store.initial.relays) {
      this.#entries.set(stored.id, this.#entryOf(stored, null))
    }
    if (this.#entries.size > 0) await this.#readFacts()
    for (const entry of this.#entries.values()) await this.#open(entry)
  }

  /** Secrets can be decrypted now. */
  async reopen(): Promise<void> {
    return this.#turn(async () => {
      for (const entry of this.#entries.values()) if (isSealed(entry)) await this.#open(entry)
      this.#push()
    })
  }

  async configure(): Promise<void> {
    await this.#thread.started?.call('configure', this.#ports.config())
  }

  deliveriesRemoved(): void {
    if (this.#entries.size > 0) this.#refreshing.wanted()
  }

  slept(): void {
    void this.#thread.started?.call('retry', { id: null, slept: true }).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#refreshing.stop()
    await this.#thread.close((api) => api.call('stop'))
  }

  views(): RelayView[] {
    return [...this.#entries.keys()].map((id) => this.#view(id))
  }

  read(invitation: string): CallOutput<'relay.read'> {
    const invited = decodeInvitation(invitation)
    const { user, servers, endpoints } = invited
    const before = this.#same(invited)?.stored
    const isKnown = before !== undefined && isRenewed(before.record, invited)
    return {
      name: isKnown ? before.name : this.#freeName(invited.name),
      user,
      servers,
      endpoints,
      missing: this.#missing(endpoints),
      replaces: before?.id ?? null,
      confirm: before !== undefined && !isKnown,
    }
  }

  async add({
    invitation,
    createEndpoints,
    replace,
  }: ParsedInput<'relay.add'>): Promise<RelayView> {
    const invited = decodeInvitation(invitation)
    await this.#thread.api.call('check', accessOf(invited, invited.seed))
    return this.#turn(async () => {
      const { store, secrets, addEndpoint } = this.#ports
      const { seed } = invited
      const same = this.#same(invited)
      if (replace !== null && same?.stored.id !== replace) {
        throw new AppError(
          'bad_input',
          'The invitation is not of the relay that it should replace. Read it again.',
        )
      }
      const isReplacing = replace !== null || (same && isRenewed(same.stored.record, invited))
      const before = isReplacing ? same : undefined
      const sealedSeed = seed === null ? null : await secrets.seal(seed)
      if (createEndpoints) {
        for (const slug of this.#missing(invited.endpoints)) await addEndpoint(slug)
      }
      const record = recordOf(invited, before?.stored.record)
      const stored = before
        ? { ...before.stored, sealedSeed, record }
        : { id: 0, name: this.#freeName(invited.name), sealedSeed, record }
      const id = before?.stored.id ?? (await store.writer.call('insertRelay', stored))
      if (before) await store.writer.call('replaceRelayKey', stored)
      const entry = this.#entryOf({ ...stored, id }, seed)
      this.#entries.set(id, entry)
      await this.#follow(entry)
      return this.#changed(id)
    })
  }

  async update({ id, ...given }: ParsedInput<'relay.update'>): Promise<RelayView> {
    return this.#turn(async () => {
      const entry = this.#get(id)
      const { stored } = entry
      const { name = stored.name, ...switches } = given
      const { enabled = stored.record.enabled, forward = stored.record.forward } = switches
      const next = { ...stored, name, record: { ...stored.record, enabled, forward } }
      await this.#ports.store.writer.call('updateRelay', next)
      entry.stored = next
      if (enabled !== stored.record.enabled) await this.#follow(entry)
      else await this.#thread.started?.call('setForward', { id, forward })
      return this.#changed(id)
    })
  }

  async connect(id: number): Promise<RelayView> {
    return this.#turn(async () => {
      const entry = this.#get(id)
      if (entry.status?.state === 'replaced') {
        await this.#thread.api.call('unfollow', id)
        await this.#ports.store.writer.call('restartRelay', id)
      }
      const { state } = entry.status ?? {}
      if (state === 'live') return this.#view(id)
      if (state === 'offline' || state === 'refused') {
        await this.#thread.api.call('retry', { id, slept: false })
      } else if (entry.stored.record.enabled) await this.#open(entry)
      return this.#changed(id)
    })
  }

  /** Deletes the deliveries first, so that one that is interrupted can be repeated. */
  async forget(id: number, deliveries: boolean): Promise<{ deleted: number }> {
    return this.#turn(async () => {
      this.#get(id)
      const { store, removed } = this.#ports
      await this.#thread.started?.call('unfollow', id)
      let deleted = 0
      while (deliveries) {
        const ids = await store.reader.call('relayedIds', { relayId: id, limit: deletedAtOnce })
        if (ids.length === 0) break
        const result = await store.writer.call('deleteDeliveries', ids)
        deleted += result.deleted
        removed(result.stats)
      }
      await store.writer.call('deleteRelay', id)
      this.#entries.delete(id)
      this.#push()
      return { deleted }
    })
  }

  #receive({ id, status }: RelayEvent): void {
    const entry = this.#entries.get(id)
    if (!entry || !entry.stored.record.enabled) return
    const isNew = entry.status?.state !== status.state
    entry.status = status
    if (status.reason !== null && status.reason !== entry.reason) {
      this.#ports.log.warn(`Relay ${id}: ${status.reason}`)
    }
    if (status.state !== 'connecting') entry.reason = status.reason
    if (isNew) void this.#refresh()
    else this.#refreshing.wanted()
  }

  #died(error: Error): void {
    this.#ports.log.error('the relay thread crashed', error)
    const reason = 'An internal error stopped it. Restart Tabscope.'
    const since = this.#ports.clock.now()
    for (const entry of this.#entries.values())
      Object.assign(entry, { status: null, reason, since })
    this.#push()
  }

  #entryOf(stored: StoredRelay, seed: string | null): Entry {
    return { stored, seed, status: null, reason: null, since: this.#ports.clock.now() }
  }

  async #open(entry: Entry): Promise<void> {
    const { id, sealedSeed } = entry.stored
    if (sealedSeed && entry.seed === null) {
      const { secrets, log } = this.#ports
      const what = `the key of relay ${id}`
      entry.seed = (await openSecret(secrets, log, what, sealedSeed)).clear
    }
    await this.#follow(entry)
  }

  async #follow(entry: Entry): Promise<void> {
    const { id, record } = entry.stored
    entry.status = null
    entry.reason = null
    entry.since = this.#ports.clock.now()
    if (!this.#ports.follows) entry.reason = notRunning
    else if (isSealed(entry)) {
      entry.reason =
        'Its key cannot be decrypted. Unlock the keyring, or add the relay again with its invitation.'
    }
    if (!record.enabled || entry.reason !== null) {
      await this.#thread.started?.call('unfollow', id)
      entry.status = null
      return
    }
    await this.#thread.started?.call('unfollow', id)
    await this.#readFacts()
    const facts = this.#facts.find(({ relayId }) => relayId === id)
    await this.#thread.api.call('follow', {
      id,
      ...accessOf(record, entry.seed),
      forward: record.forward,
      positions: facts?.positions ?? [],
    })
  }

  async #readFacts(): Promise<void> {
    this.#facts = await this.#ports.store.reader.call('relayFacts')
  }

  async #refresh(): Promise<void> {
    try {
      await this.#readFacts()
    } catch (error) {
      // The reader is closed before the last events.
      if (!this.#isClosed) this.#ports.log.error('the state of relays was not read', error)
    }
    this.#push()
  }

  async #changed(id: number): Promise<RelayView> {
    await this.#readFacts()
    this.#push()
    return this.#view(id)
  }

  #push(): void {
    if (!this.#isClosed) this.#ports.changed(this.views())
  }

  #missing(slugs: readonly string[]): string[] {
    const known = new Set(this.#ports.endpoints().map(({ slug }) => slug))
    return slugs.filter((slug) => slug !== '*' && slug !== noEndpoint && !known.has(slug))
  }

  /** The relay of an invitation, whatever it is called here: of the same CA, or probably that with the same server. */
  #same(invited: Invitation): Entry | undefined {
    const entries = [...this.#entries.values()]
    return (
      entries.find(({ stored }) => isRenewed(stored.record, invited)) ??
      entries.find(({ stored }) => isSameCa(stored.record, invited)) ??
      entries.find(({ stored }) =>
        stored.record.servers.some((each) => invited.servers.includes(each)),
      )
    )
  }

  /** Another relay may have the name already. */
  #freeName(name: string): string {
    const taken = new Set(
      [...this.#entries.values()].map(({ stored }) => stored.name.toLowerCase()),
    )
    let free = name
    for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name} ${n}`
    return free
  }

  #view(id: number): RelayView {
    const { stored, status, reason, since } = this.#get(id)
    const facts = this.#facts.find(({ relayId }) => relayId === id) ?? null
    return relayView(stored, facts, status ?? idleStatus(stored.record, reason, since))
  }

  #get(id: number): Entry {
    const entry = this.#entries.get(id)
    if (!entry) throw new AppError('not_found', `Relay ${id} does not exist.`)
    return entry
  }
}

/** Its key cannot be decrypted. */
function isSealed({ stored, seed }: Entry): boolean {
  return stored.sealedSeed !== null && seed === null
}

function accessOf(
  {
    user,
    servers,
    ca,
    endpoints,
  }: Pick<Invitation, 'user' | 'servers' | 'ca' | 'endpoints'> | RelayRecord,
  seed: string | null,
): RelayAccess {
  return { user, servers, ca, endpoints, seed }
}

/** Its server has proved that it is of that CA, since without TLS it proves nothing. */
function isSameCa(record: RelayRecord, { ca, servers }: Invitation): boolean {
  return ca !== null && record.ca === ca && servers.every((server) => server.startsWith('tls://'))
}

/** The invitation is a new one for the same user, and needs no question. */
function isRenewed(record: RelayRecord, invited: Invitation): boolean {
  return isSameCa(record, invited) && record.user === invited.user
}

/** A new key keeps the switches. But another server is not trusted to send to the targets. */
function recordOf(
  { user, servers, ca, endpoints }: Invitation,
  before: RelayRecord | undefined,
): RelayRecord {
  const isSame = before?.ca === ca && before.servers.join() === servers.join()
  const { enabled = true } = before ?? {}
  const forward = isSame && before.forward
  return { user, servers, ca, endpoints, enabled, forward }
}
