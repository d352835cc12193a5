import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { DraftContent } from '#contract/compose.ts'
import { holdLimit, maxHeld } from '#contract/constants.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import { topTerms } from '#contract/filter/edit.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import type { HeldDelivery, HoldRule, HoldState } from '#contract/hold.ts'
import { formatDuration } from '#shared/text/format.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { prepare, type Db, type SqlValue } from '../../platform/sqlite.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import type { HoldInput, SendWrites } from '../messages.ts'
import type { OtherResponse } from '../../receiving/listener/messages.ts'
import { readHeld } from '../store/held.ts'

const maxRules = 20
const publishEveryMs = 200
/** How long a release waits for the capture thread or for forwarding, which usually get to it at once. */
const followMs = 60_000

type Targets = 'all' | readonly number[]
type Answer = (response: OtherResponse | null) => void

/** `response` null: as planned. `content` null: not edited. */
interface Decision {
  readonly response: OtherResponse | null
  readonly content: DraftContent | null
  readonly dropped: boolean
}

const asPlanned: Decision = { response: null, content: null, dropped: false }

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
  /** Forwarding got here, with all targets or only these. Null: not yet, or there is nothing to forward. */
  forwarding: Targets | null
  /** The service waits. `passes`: the response comes from a target, once it is released. */
  waiting: { readonly passes: boolean; readonly answer: Answer } | null
  /** Being released or dropped. */
  isClaimed: boolean
  cancelTimer: () => void
}

export interface ReleasedVersion {
  /** Null: as captured, or as its script changed it. */
  readonly content: DraftContent | null
  /** For the attempt. */
  readonly note: string
}

interface Released extends ReleasedVersion {
  /** Of the user, for a capture thread that has not asked yet. */
  readonly response: OtherResponse | null
  /** Attempts that will use it. */
  left: number
  /** Called when forwarding gets here. Null: it did, or there is nothing to forward. */
  forwards: (() => void) | null
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
  readonly forward: (id: number, to: Targets, respondedByUser: boolean) => number
  readonly drop: (id: number, to: Targets) => void
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
    return this.#rules.length > 0 || this.#items.size > 0 || this.#released.size > 0
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
  async add({ filter: given, at, count, limitMs }: HoldInput): Promise<HoldRule> {
    if (this.#rules.length >= maxRules) {
      throw new AppError(
        'bad_input',
        `There are already ${maxRules} rules that hold deliveries. Stop one first.`,
      )
    }
    const filter = withTypes(given)
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
    const released = this.#released.get(id)
    if (released?.forwards) {
      released.forwards()
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
    const released = this.#released.get(id)
    if (released) return Promise.resolve(released.response)
    const item =
      this.#items.get(id) ??
      this.#decide(id, { response: true, forward: passes }) ??
      (failure === null ? null : this.#hold(id, 'response', holdLimit.defaultMs))
    if (!item) return null
    if (failure !== null) item.reason = failure
    if (item.at === 'forward') {
      // The service has not been answered only if the response is that of a target.
      if (!passes) return null
      item.at = 'response'
      this.#releaseAfter(item, holdLimit.defaultMs)
    }
    this.#publishing.wanted()
    return new Promise((answer) => {
      item.waiting = { passes, answer }
    })
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
    this.#settleUsed(id, released)
  }

  /** What to edit, and where it goes first. Throws `not_found`, and `bad_input` if nothing receives it. */
  held(id: number): Pick<Item, 'id' | 'content'> & { target: ForwardTarget } {
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
    return this.#settle(this.#chosen(ids), { ...asPlanned, content })
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
    return this.#settle(items, { ...asPlanned, dropped: true })
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
    return this.#settle(items, { ...asPlanned, response: given })
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

  #decide(id: number, candidate: { response: boolean; forward: boolean }): Item | null {
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
        if (!item.isClaimed) void this.#settle([item], asPlanned)
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

  async #settle(items: readonly Item[], decision: Decision): Promise<number[]> {
    const { response, content, dropped } = decision
    const ids = items.map(({ id }) => id)
    for (const item of items) {
      item.isClaimed = true
      item.cancelTimer()
      // The service need not wait for the disk, unless something is sent for the response.
      if (response !== null || !item.waiting?.passes) item.waiting?.answer(response)
    }
    try {
      if (dropped) await this.#ports.writes.call('settleHeld', ids)
      else if (ids.length > 0) await this.#ports.writes.call('releaseHeld', { ids, content })
    } catch (error) {
      const kept = items.filter(({ at }) => at === 'forward')
      for (const item of kept) item.isClaimed = false
      // A response cannot wait until the disk is writable again.
      for (const item of items) if (item.isClaimed) this.#continue(item, decision)
      if (kept.length > 0) throw error
      return ids
    }
    for (const item of items) this.#continue(item, decision)
    this.#publishing.wanted()
    return ids
  }

  #continue(item: Item, { response, content, dropped }: Decision): void {
    const { id, waiting, forwarding } = item
    this.#items.delete(id)
    if (dropped) {
      this.#ports.drop(id, forwarding ?? 'all')
      return
    }
    const note = noteOf(this.#ports.clock.now() - item.heldAt, content !== null)
    const released: Released = {
      content: content ?? item.content,
      note,
      response,
      left: 0,
      forwards: null,
    }
    this.#released.set(id, released)
    // The capture thread asks for the response of the target next.
    if (waiting?.passes && response === null) this.#expect(id, released)
    waiting?.answer(response)
    if (forwarding !== null) this.#forward(id, forwarding, released)
    else if (this.#targets(item).some(({ mode }) => mode === 'after')) {
      const cancel = this.#expect(id, released)
      released.forwards = () => {
        cancel()
        released.forwards = null
        released.left -= 1
        this.#forward(id, 'all', released)
      }
    } else this.#settleUsed(id, released)
  }

  /** Another thread gets to it in a moment, unless it is too busy. */
  #expect(id: number, released: Released): () => void {
    released.left += 1
    return this.#ports.clock.after(followMs, () => {
      if (this.#released.get(id) === released) this.settled(id)
    })
  }

  #forward(id: number, to: Targets, released: Released): void {
    // A full queue may drop it before this returns: then `left` is below zero for a moment.
    released.left += this.#ports.forward(id, to, released.response !== null)
    this.#settleUsed(id, released)
  }

  #settleUsed(id: number, { left }: Released): void {
    if (left !== 0) return
    this.#released.delete(id)
    // If it fails, it is held again after the next start, as uncertain.
    this.#ports.writes.call('settleHeld', [id]).catch(() => undefined)
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
    waiting: null,
    isClaimed: false,
    cancelTimer: () => undefined,
  }
}

function noteOf(ms: number, edited: boolean): string {
  const held = `It was held for ${formatDuration(ms)}`
  return edited ? `${held} and edited before it was sent.` : `${held}.`
}

/** A bare event type means deliveries of that type, since a text needs the index. */
function withTypes(filter: string): string {
  const parsed = parseFilter(filter)
  return (parsed.ok ? topTerms(parsed.filter) : []).reduceRight(
    (text, term) =>
      term.kind === 'text' && eventTypeOf(term.text)
        ? `${text.slice(0, term.from)}type:${text.slice(term.from)}`
        : text,
    filter,
  )
}
