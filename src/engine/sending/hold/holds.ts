import type { DraftContent } from '#contract/compose.ts'
import { holdLimit, maxHeld } from '#contract/constants.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { HeldDelivery, HoldRule, HoldState } from '#contract/hold.ts'
import { formatDuration } from '#shared/text/format.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { prepare, type Db, type SqlValue } from '../../platform/sqlite.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import type { HoldInput, OtherResponse, SendWrites } from '../messages.ts'
import { readHeld } from '../store/held.ts'

const maxRules = 20
const publishEveryMs = 200
/** How long a release waits for the capture thread or for forwarding, which usually get to it at once. */
const followMs = 60_000

/** More than an endpoint has targets. */
const starting = 1000

interface Rule {
  view: HoldRule
  readonly matches: (id: number) => boolean
}

interface Item {
  readonly id: number
  readonly type: string | null
  readonly title: string
  readonly bytes: number
  readonly endpointId: number | null
  readonly heldAt: number
  at: HoldRule['at']
  releaseAt: number | null
  reason: string | null
  readonly uncertain: boolean
  /** An edit that was being released when Tabscope ended. */
  readonly content: DraftContent | null
  /** What follows once it is decided: forwarding got here, with all targets or only these. Null: it will, or there is nothing to forward. */
  forwarding: readonly number[] | 'all' | null
  /** The response comes from a target, once it is released. */
  passes: boolean
  /** The service waits. */
  answer: ((response: OtherResponse | null) => void) | null
  /** The decision; null: none yet. */
  outcome: { readonly response: OtherResponse | null; readonly dropped: boolean } | null
  /** Being released or dropped. */
  isClaimed: boolean
  cancelTimer: () => void
}

/** What a released delivery is sent as. */
export interface ReleasedVersion {
  /** Null: as captured, or as its script changed it. */
  readonly content: DraftContent | null
  /** For the attempt. */
  readonly note: string
}

interface Released extends ReleasedVersion {
  /** Attempts that will use it. */
  left: number
}

export interface HoldPorts {
  readonly db: Db
  readonly clock: Clock
  readonly writes: Pick<ThreadClient<SendWrites>, 'call'>
  readonly publish: (state: HoldState) => void
  /** Where a delivery is forwarded, including the target whose response is returned. */
  readonly targetsOf: (delivery: {
    readonly endpointId: number | null
    readonly type: string | null
  }) => readonly ForwardTarget[]
  /** Forwards it now, to all targets or these. Returns how many attempts will ask for `released`. */
  readonly forward: (id: number, to: 'all' | readonly number[], respondedByUser: boolean) => number
  readonly drop: (id: number, to: 'all' | readonly number[]) => void
}

interface DeliveryRow {
  readonly type: string | null
  readonly title: string
  readonly bytes: number
  readonly endpointId: number | null
}

/**
 * Deliveries that wait for the user. One delivery is one entry, whether forwarding or the capture thread asks first; both continue when it is decided.
 * What was held when Tabscope crashed is held again, and forwarded only if the user releases it.
 */
export class Holds {
  readonly #ports: HoldPorts
  readonly #publishing: Throttle
  readonly #row: (id: number) => DeliveryRow | undefined
  #rules: readonly Rule[] = []
  #nextRule = 1
  #notHeld = 0
  readonly #items = new Map<number, Item>()
  /** Decided before forwarding reached them. */
  readonly #decided = new Map<number, Item>()
  readonly #released = new Map<number, Released>()

  constructor(ports: HoldPorts) {
    this.#ports = ports
    this.#publishing = throttle(ports.clock, publishEveryMs, () => ports.publish(this.state()))
    const select = prepare<[number], DeliveryRow>(
      ports.db,
      'SELECT type, title, bytes, endpoint_id AS endpointId FROM delivery WHERE id = ?',
    )
    this.#row = (id) => select.get(id)
    for (const { deliveryId, heldAt, releasing, content } of readHeld(ports.db)) {
      const row = this.#row(deliveryId)
      if (!row) continue
      const reason = releasing
        ? 'Tabscope ended while it was being released.'
        : 'Tabscope ended while it was held.'
      this.#items.set(deliveryId, {
        ...newItem(deliveryId, row, heldAt),
        reason,
        uncertain: releasing,
        content,
        forwarding: 'all',
      })
    }
  }

  /** Without rules and held deliveries, callers need not ask. */
  get isActive(): boolean {
    return this.#rules.length > 0 || this.#items.size > 0 || this.#decided.size > 0
  }

  state(): HoldState {
    for (const { id, at } of this.#items.values()) {
      // Deleted meanwhile. If its response waits, the countdown ends that.
      if (at === 'forward' && !this.#row(id)) this.#items.delete(id)
    }
    return {
      rules: this.#rules.map(({ view }) => view),
      held: [...this.#items.values()]
        .toSorted((a, b) => a.id - b.id)
        .map((item) => this.#view(item)),
      notHeld: this.#notHeld,
    }
  }

  /** Throws `bad_filter`, `bad_input`. */
  async add({ filter, at, count, limitMs }: HoldInput): Promise<HoldRule> {
    if (this.#rules.length >= maxRules) {
      throw new AppError(
        'bad_input',
        `There are already ${maxRules} rules that hold deliveries. Stop one first.`,
      )
    }
    const matches = await this.#compile(filter)
    const id = this.#nextRule
    this.#nextRule += 1
    const view: HoldRule = { id, filter, at, remaining: count, limitMs, held: 0 }
    this.#rules = [...this.#rules, { view, matches }]
    this.#notHeld = 0
    this.#publishing.wanted()
    return view
  }

  /** Undefined: all. What is held stays held. Throws `not_found`. */
  stop(id: number | undefined): HoldState {
    if (id !== undefined && this.#rules.every(({ view }) => view.id !== id)) {
      const ids = this.#rules.map(({ view }) => view.id).join(', ') || 'none'
      throw new AppError('not_found', `No rule ${id} holds deliveries. Available: ${ids}.`)
    }
    this.#rules = id === undefined ? [] : this.#rules.filter(({ view }) => view.id !== id)
    this.#publishing.wanted()
    return this.state()
  }

  /** Called by forwarding, before anything is sent. Returns true if it is held: it is forwarded when it is released. `awaits`: the service may still wait. */
  takeForward(id: number, awaits: boolean): boolean {
    const decided = this.#decided.get(id)
    if (decided) {
      this.#decided.delete(id)
      decided.forwarding = 'all'
      this.#continueForward(decided)
      return true
    }
    const item = this.#items.get(id) ?? this.#decide(id, { response: awaits, forward: true })
    if (!item) return false
    item.forwarding = 'all'
    return true
  }

  /**
   * Called for a delivery whose response waits. Null: it is not held. Resolves to the response of the user; null: as planned. `passes`: the response comes
   * from a target. `failure`: why its script failed, if that holds it.
   */
  takeResponse(
    id: number,
    passes: boolean,
    failure: string | null,
  ): Promise<OtherResponse | null> | null {
    const decided = this.#decided.get(id)
    if (decided?.outcome) return Promise.resolve(decided.outcome.response)
    const item =
      this.#items.get(id) ??
      this.#decide(id, { response: true, forward: passes }) ??
      (failure === null ? null : this.#hold(id, 'response', holdLimit.defaultMs))
    if (!item) return null
    if (failure !== null) item.reason = failure
    item.passes = passes
    if (item.at === 'forward') {
      // The service has not been answered only if the response is that of a target.
      if (!passes) return null
      item.at = 'response'
      this.#releaseAfter(item, holdLimit.defaultMs)
    }
    const { promise, resolve } = Promise.withResolvers<OtherResponse | null>()
    item.answer = resolve
    this.#publishing.wanted()
    return promise
  }

  /** Holds a delivery before it is forwarded to a target whose script failed. Returns false if there is no room. */
  holdFailed(id: number, forwardId: number, reason: string): boolean {
    const item = this.#items.get(id) ?? this.#hold(id, 'forward', null)
    if (!item) return false
    item.reason = reason
    if (item.forwarding !== 'all') item.forwarding = [...(item.forwarding ?? []), forwardId]
    this.#publishing.wanted()
    return true
  }

  /** Why a held delivery needs a look. */
  explain(id: number, reason: string): void {
    const item = this.#items.get(id)
    if (!item) return
    item.reason = reason
    this.#publishing.wanted()
  }

  /** What was released is not sent yet. */
  get hasReleased(): boolean {
    return this.#released.size > 0
  }

  /** Undefined: it was not held. */
  released(id: number): ReleasedVersion | undefined {
    return this.#released.get(id)
  }

  /** An attempt that used `released` has ended. */
  settled(id: number): void {
    const released = this.#released.get(id)
    if (!released) return
    released.left -= 1
    this.#settleUnused(id)
  }

  /** What to edit, and where it goes first. Throws `not_found`, and `bad_input` if nothing receives it. */
  held(id: number): Pick<Item, 'id' | 'content'> & { readonly target: ForwardTarget } {
    const [item] = this.#chosen([id])
    const target = item && this.#targets(item)[0]
    if (!item || !target) {
      throw new AppError(
        'bad_input',
        `No forward target receives delivery ${id}, so there is nothing to edit. Release it, or respond to it.`,
      )
    }
    return { id, content: item.content, target }
  }

  /** Undefined: all but uncertain ones. Returns the IDs. Throws `not_found`. */
  async release(
    ids: readonly number[] | undefined,
    content: DraftContent | null = null,
  ): Promise<number[]> {
    return this.#settle(this.#chosen(ids), { content, response: null, dropped: false })
  }

  /** Throws `not_found`, `bad_input`. */
  async drop(ids: readonly number[] | undefined): Promise<number[]> {
    const items = this.#chosen(ids).filter(({ at }) => ids !== undefined || at === 'forward')
    const waiting = items.find(({ at }) => at === 'response')
    if (waiting) {
      throw new AppError(
        'bad_input',
        `The response to delivery ${waiting.id} waits, so it cannot be dropped. Respond to it, or release it.`,
      )
    }
    return this.#settle(items, { content: null, response: null, dropped: true })
  }

  /** Throws `not_found`, `bad_input`. */
  async respond(
    ids: readonly number[] | undefined,
    response: Pick<OtherResponse, 'status' | 'headers' | 'body'>,
  ): Promise<number[]> {
    const items = this.#chosen(ids).filter(({ at }) => ids !== undefined || at === 'response')
    const responded = items.find(({ at }) => at === 'forward')
    if (responded) {
      throw new AppError(
        'bad_input',
        `The response to delivery ${responded.id} was sent already. Release it, or drop it.`,
      )
    }
    const given = { by: 'hold', delayMs: 0, ...response } as const
    return this.#settle(items, { content: null, response: given, dropped: false })
  }

  /** Releases all but uncertain ones. */
  async close(): Promise<void> {
    this.#rules = []
    await this.release(undefined)
    this.#publishing.stop()
  }

  async #compile(filter: string): Promise<Rule['matches']> {
    // Few sessions hold deliveries, so the search is loaded only then.
    const { readFilter } = await import('../../search/read-filter.ts')
    const { db, clock } = this.#ports
    const compiled = readFilter(db, filter, clock.now())
    if (compiled.needsIndex) {
      throw new AppError(
        'bad_input',
        'A filter by text, references or repetitions needs the search index, which a delivery reaches later. Use a field, such as contains: or data.',
      )
    }
    if (compiled.all) return () => true
    const select = prepare<[Record<string, SqlValue>], number>(db, compiled.select('d.id')).pluck()
    return (id) => select.get({ ...compiled.values, lo: id, hi: id }) !== undefined
  }

  #decide(
    id: number,
    candidate: { readonly response: boolean; readonly forward: boolean },
  ): Item | null {
    const rule = this.#rules.find(
      ({ view, matches }) => candidate[view.at] && this.#tries(() => matches(id)),
    )
    if (!rule) return null
    const { at, limitMs } = rule.view
    const item = this.#hold(id, at, at === 'response' ? limitMs : null)
    if (item) this.#count(rule)
    return item
  }

  /** A damaged or busy store holds nothing. */
  #tries(matches: () => boolean): boolean {
    try {
      return matches()
    } catch {
      return false
    }
  }

  #count(rule: Rule): void {
    const { held, remaining } = rule.view
    rule.view = {
      ...rule.view,
      held: held + 1,
      remaining: remaining === null ? null : remaining - 1,
    }
    if (remaining === 1) this.#rules = this.#rules.filter((other) => other !== rule)
  }

  #hold(id: number, at: HoldRule['at'], limitMs: number | null): Item | null {
    const row = this.#row(id)
    if (!row) return null
    const held = [...this.#items.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    // A single delivery may have any size.
    const isFull =
      this.#items.size >= maxHeld.deliveries || (held > 0 && held + row.bytes > maxHeld.bytes)
    if (isFull) {
      this.#notHeld += 1
      this.#publishing.wanted()
      return null
    }
    const item: Item = { ...newItem(id, row, this.#ports.clock.now()), at }
    this.#items.set(id, item)
    if (limitMs !== null) this.#releaseAfter(item, limitMs)
    // Shown once it survives a crash.
    this.#ports.writes.call('hold', { id, at: item.heldAt }).then(
      () => this.#publishing.wanted(),
      () => this.#publishing.wanted(),
    )
    return item
  }

  #releaseAfter(item: Item, ms: number): void {
    item.releaseAt = item.heldAt + ms
    item.cancelTimer = this.#ports.clock.after(
      Math.max(0, item.releaseAt - this.#ports.clock.now()),
      () => {
        if (!item.isClaimed)
          void this.#settle([item], { content: null, response: null, dropped: false })
      },
    )
  }

  /** Undefined: all but uncertain ones. Throws `not_found`. */
  #chosen(ids: readonly number[] | undefined): Item[] {
    const free = [...this.#items.values()].filter(({ isClaimed }) => !isClaimed)
    if (ids === undefined) return free.filter(({ uncertain }) => !uncertain)
    const byId = new Map(free.map((item) => [item.id, item]))
    return [...new Set(ids)].map((id) => {
      const item = byId.get(id)
      if (item) return item
      throw new AppError(
        'not_found',
        `Delivery ${id} is not held. It may have been released already.`,
      )
    })
  }

  async #settle(
    items: readonly Item[],
    {
      content,
      response,
      dropped,
    }: {
      readonly content: DraftContent | null
      readonly response: OtherResponse | null
      readonly dropped: boolean
    },
  ): Promise<number[]> {
    const ids = items.map(({ id }) => id)
    for (const item of items) {
      item.isClaimed = true
      item.cancelTimer()
      item.outcome = { response, dropped }
      // The service need not wait for the disk, unless something is sent for the response.
      if (response !== null || !item.passes) this.#answer(item)
    }
    try {
      if (dropped) await this.#ports.writes.call('settleHeld', ids)
      else if (ids.length > 0) await this.#ports.writes.call('releaseHeld', { ids, content })
    } catch (error) {
      const kept = items.filter(({ at }) => at === 'forward')
      for (const item of kept) Object.assign(item, { isClaimed: false, outcome: null })
      // A response cannot wait until the disk is writable again.
      for (const item of items) if (item.isClaimed) this.#continue(item, content)
      if (kept.length > 0) throw error
      return ids
    }
    for (const item of items) this.#continue(item, content)
    this.#publishing.wanted()
    return ids
  }

  #continue(item: Item, content: DraftContent | null): void {
    const { id, outcome } = item
    this.#items.delete(id)
    if (!outcome?.dropped) {
      const note = noteOf(this.#ports.clock.now() - item.heldAt, content !== null)
      this.#released.set(id, { content: content ?? item.content, note, left: 0 })
      if (item.passes && outcome?.response === null) this.#expectPass(id)
    }
    this.#answer(item)
    if (item.forwarding !== null) this.#continueForward(item)
    // Forwarding reaches it in a moment, if there is a target.
    else if (this.#targets(item).some(({ mode }) => mode === 'after')) {
      this.#decided.set(id, item)
      this.#ports.clock.after(followMs, () => {
        if (this.#decided.delete(id)) this.#settleUnused(id)
      })
    } else this.#settleUnused(id)
  }

  #continueForward({ id, forwarding, outcome, at }: Item): void {
    if (forwarding === null) return
    if (outcome?.dropped) {
      this.#ports.drop(id, forwarding)
      return
    }
    const released = this.#released.get(id)
    const byUser = at === 'response' && outcome?.response != null
    // A full queue may drop it before this returns.
    if (released) released.left += starting
    const attempts = this.#ports.forward(id, forwarding, byUser)
    if (!released) return
    released.left += attempts - starting
    this.#settleUnused(id)
  }

  #settleUnused(id: number): void {
    if ((this.#released.get(id)?.left ?? 0) > 0) return
    this.#released.delete(id)
    this.#settleStored([id])
  }

  /** The capture thread will ask for the response of the target, unless it is too busy. */
  #expectPass(id: number): void {
    const released = this.#released.get(id)
    if (!released) return
    released.left += 1
    this.#ports.clock.after(followMs, () => {
      if (this.#released.get(id) === released) this.settled(id)
    })
  }

  #answer(item: Item): void {
    item.answer?.(item.outcome?.response ?? null)
    item.answer = null
  }

  #settleStored(ids: readonly number[]): void {
    // If it fails, they are held again after the next start, as uncertain.
    this.#ports.writes.call('settleHeld', ids).catch(() => undefined)
  }

  #targets({ endpointId, type, forwarding }: Item): readonly ForwardTarget[] {
    const targets = this.#ports.targetsOf({ endpointId, type })
    return forwarding === null || forwarding === 'all'
      ? targets
      : targets.filter(({ id }) => forwarding.includes(id))
  }

  #view(item: Item): HeldDelivery {
    const { id: deliveryId, type, title, bytes, at, heldAt, releaseAt, reason, uncertain } = item
    return {
      deliveryId,
      type,
      title,
      bytes,
      at,
      heldAt,
      releaseAt,
      targets: this.#targets(item).map(({ url }) => url),
      reason,
      uncertain,
    }
  }
}

function newItem(id: number, row: DeliveryRow, heldAt: number): Item {
  return {
    id,
    ...row,
    heldAt,
    at: 'forward',
    releaseAt: null,
    reason: null,
    uncertain: false,
    content: null,
    forwarding: null,
    passes: false,
    answer: null,
    outcome: null,
    isClaimed: false,
    cancelTimer: () => undefined,
  }
}

function noteOf(ms: number, edited: boolean): string {
  const held = `It was held for ${formatDuration(ms)}`
  return edited ? `${held} and edited before it was sent.` : `${held}.`
}
