import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { PassRequest } from '../../receiving/listener/messages.ts'
import type { SenderParts } from '../parts.ts'
import { Backlog, createAttempt } from './forwarding.ts'
import { Holds } from '../hold/holds.ts'
import { describeFailure } from '../named-scripts.ts'
import { ForwardVersions } from './versions.ts'
import { TargetQueue, type TargetQueueParts } from './target-queue.ts'
import { createPassing } from './passing.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../platform/progress.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'

interface NewDelivery extends DeliveryRow {
  /** The service may still wait for its response. */
  readonly awaits: boolean
}

interface DeliveryRow {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly arrival: string
  readonly own: string | null
  readonly answeredBy: string | null
  /** Null: not from a relay. 0: its relay does not forward, or it waited while Tabscope was not connected. */
  readonly relayed: number | null
}

const columns = `id, endpoint_id AS endpointId, type, arrival, sent_by AS own, responded_by AS answeredBy,
  CASE WHEN via = 'relay' THEN (SELECT forwarded FROM relay_delivery WHERE delivery_id = delivery.id) END AS relayed`
const batchSize = 500
const restMs = 5
const pollMs = 1000

/**
 * Reads every delivery after `from` once, in order, as soon as it is stored. `wanted` returns whether there are forward targets; deliveries received
 * without any are skipped. `close` still reads deliveries that were responded to already.
 */
function follow(options: {
  db: Db
  progress: Progress
  from: number
  wanted: () => boolean
  take: (delivery: NewDelivery) => void
}): { close(): Promise<void> } {
  const { db, progress, wanted, take } = options
  const select = prepare<[number, number], DeliveryRow & { status: number | null }>(
    db,
    `SELECT ${columns}, status FROM delivery WHERE id > ? AND id <= ? ORDER BY id LIMIT ${batchSize}`,
  )
  let at = options.from
  let closing = false

  const readBatch = (): boolean => {
    const stored = progress.storedId
    if (stored <= at) return false
    const rows = wanted() ? select.all(at, stored) : []
    for (const row of rows) {
      const { status, answeredBy, arrival, relayed } = row
      const isOpen = status === null && answeredBy === null && arrival === 'complete'
      take({ ...row, awaits: isOpen && relayed === null })
    }
    // Missing ids were deleted already.
    at = rows.length < batchSize ? stored : (rows.at(-1)?.id ?? stored)
    return true
  }

  const loop = async (): Promise<void> => {
    while (!closing) {
      try {
        if (readBatch()) await pause(restMs)
        else await progress.pastStored(at, pollMs)
      } catch {
        // The store is busy or damaged, which the writer reports.
        await pause(pollMs, undefined, { ref: false })
      }
    }
  }
  const looping = loop()

  return {
    close: async () => {
      closing = true
      progress.wake()
      await looping
      if (!wanted()) return
      try {
        while (readBatch());
      } catch {
        // As above.
      }
    },
  }
}

const healthEveryMs = 200
const graceMs = 500

const loopReason = 'Tabscope forwarded it here itself, so it is not forwarded again.'
const incompleteReason = 'The delivery was incomplete.'
const ruleReason = 'A response rule responded instead.'
const heldReason = 'You responded while it was held.'
const droppedReason = 'You dropped it while it was held.'
const releaseMs = 2000

/**
 * Decides which of several targets with the same URL gets a delivery: the one whose response is returned, unless a response rule responded instead;
 * otherwise a temporary target before a stored one.
 */
function precedence(
  { mode, temporary }: ForwardTarget,
  answeredBy: DeliveryRow['answeredBy'],
): number {
  if (mode === 'return') return answeredBy === 'rule' || answeredBy === 'hold' ? -1 : 2
  return temporary ? 1 : 0
}

export class Forwards {
  readonly #parts: SenderParts
  readonly #backlog = new Backlog()
  readonly #queues = new Map<number, TargetQueue>()
  /** Deleted targets whose pending requests are not finished yet. */
  readonly #leaving = new Set<TargetQueue>()
  #byEndpoint = new Map<number, TargetQueue[]>()
  #published = '[]'
  readonly #healthPublishing: Throttle
  readonly #queueParts: TargetQueueParts
  readonly #following: { close(): Promise<void> }
  /** Forwards a delivery that gets the target's response, and replies through `respondToPass`. */
  readonly pass: (request: PassRequest) => void
  readonly holds: Holds
  readonly versions: ForwardVersions
  readonly #row: (id: number) => DeliveryRow | undefined

  /** Deliveries up to `from` existed before and are never forwarded automatically. */
  constructor(
    parts: SenderParts,
    from: number,
    clock: Clock = systemClock,
    random: () => number = Math.random,
  ) {
    this.#parts = parts
    this.#healthPublishing = throttle(clock, healthEveryMs, () => this.#publishHealth())
    const select = prepare<[number], DeliveryRow>(
      parts.db,
      `SELECT ${columns} FROM delivery WHERE id = ?`,
    )
    this.#row = (id) => select.get(id)
    this.holds = new Holds({
      db: parts.db,
      clock,
      writes: parts.writes,
      publish: (state) => parts.publish({ event: 'hold', state }),
      targetsOf: ({ endpointId, type }) =>
        this.#matching(endpointId, type).map(({ target }) => target),
      forward: (id, to, respondedByUser) => this.#forwardReleased(id, to, respondedByUser),
      drop: (id, to) => this.#dropHeld(id, to),
    })
    this.versions = new ForwardVersions(parts, this.holds)
    this.#queueParts = {
      clock,
      random,
      attempt: createAttempt(parts, this.#backlog, clock, this.versions),
      left: (target, id) => this.versions.forget(target, id),
      changed: () => this.#healthPublishing.wanted(),
      skipped: (skip) => parts.recorder.skip(skip),
    }
    this.pass = createPassing(parts, this.#backlog, clock, this.versions, (id) =>
      this.#queues.get(id),
    )
    this.configured()
    this.#following = follow({
      db: parts.db,
      progress: parts.progress,
      from,
      wanted: () => this.#queues.size > 0,
      take: (delivery) => this.#take(delivery),
    })
  }

  configured(): void {
    const { forwards } = this.#parts.configuration
    const ids = new Set(forwards.map(({ id }) => id))
    for (const queue of this.#queues.values()) if (!ids.has(queue.target.id)) this.#remove(queue)
    for (const target of forwards) {
      const queue = this.#queues.get(target.id)
      if (queue) queue.configure(target)
      else this.#queues.set(target.id, new TargetQueue(target, this.#queueParts))
    }
    this.#byEndpoint = Map.groupBy(this.#queues.values(), (queue) => queue.target.endpointId)
    this.#healthPublishing.wanted()
  }

  health(): ForwardHealth[] {
    return [...this.#queues.values()].map((queue) => queue.view())
  }

  dropWaiting(forwardId: number): number {
    return this.#queues.get(forwardId)?.drop('It was dropped while it was waiting.') ?? 0
  }

  async close(): Promise<void> {
    await this.#following.close()
    await this.holds.close()
    await this.#drained(releaseMs)
    const queues = [...this.#queues.values(), ...this.#leaving]
    await Promise.all(queues.map((queue) => queue.close('Tabscope was closed.', graceMs)))
  }

  #remove(queue: TargetQueue): void {
    this.#queues.delete(queue.target.id)
    this.#leaving.add(queue)
    void queue
      .close('The target was deleted.', queue.target.timeoutMs)
      .then(() => this.#leaving.delete(queue))
  }

  #publishHealth(): void {
    const health = this.health()
    const text = JSON.stringify(health)
    if (text === this.#published) return
    this.#published = text
    this.#parts.publish({ event: 'health', health })
  }

  #matching(endpointId: number | null, type: string | null): TargetQueue[] {
    const queues = endpointId === null ? [] : (this.#byEndpoint.get(endpointId) ?? [])
    return queues.filter((queue) => queue.accepts(type))
  }

  #take(delivery: NewDelivery): void {
    const { id, awaits } = delivery
    const plan = this.#plan(delivery)
    const sent = plan.filter(({ skip }) => skip === null)
    if (sent.length > 0 && this.holds.isActive && this.holds.takeForward(id, awaits)) {
      void this.#runScripts(
        id,
        sent.map(({ queue }) => queue.target),
      )
      return
    }
    this.#execute(id, plan)
  }

  #plan({ endpointId, type, arrival, own, answeredBy, relayed }: DeliveryRow): PlannedForward[] {
    if (endpointId === null || relayed === 0) return []
    const matching = this.#matching(endpointId, type)
    return matching.flatMap((queue): PlannedForward[] => {
      const { url, mode } = queue.target
      const rank = precedence(queue.target, answeredBy)
      // The delivery is sent once to a URL that has both a temporary and a stored target.
      if (
        matching.some(({ target }) => target.url === url && precedence(target, answeredBy) > rank)
      ) {
        return []
      }
      if (own === 'forward') return [{ queue, skip: loopReason }]
      if (arrival !== 'complete') return [{ queue, skip: incompleteReason }]
      // The receiver has responded already.
      if (mode === 'after' || relayed === 1) return [{ queue, skip: null }]
      // For other modes, the capture thread requests the response itself.
      if (answeredBy === 'rule') return [{ queue, skip: ruleReason }]
      return answeredBy === 'hold' ? [{ queue, skip: heldReason }] : []
    })
  }

  #execute(id: number, plan: readonly PlannedForward[]): number {
    for (const { queue, skip } of plan) {
      if (skip === null) queue.enqueue(id)
      else queue.skip(id, skip)
    }
    return plan.filter(({ skip }) => skip === null).length
  }

  #planHeld(id: number, to: 'all' | readonly number[], respondedByUser: boolean): PlannedForward[] {
    const row = this.#row(id)
    if (!row) return []
    const plan = this.#plan(respondedByUser ? { ...row, answeredBy: 'hold' } : row)
    return to === 'all' ? plan : plan.filter(({ queue }) => to.includes(queue.target.id))
  }

  #forwardReleased(id: number, to: 'all' | readonly number[], respondedByUser: boolean): number {
    return this.#execute(id, this.#planHeld(id, to, respondedByUser))
  }

  #dropHeld(id: number, to: 'all' | readonly number[]): void {
    for (const { queue, skip } of this.#planHeld(id, to, false)) {
      queue.skip(id, skip ?? droppedReason)
      this.versions.forget(queue.target, id)
    }
  }

  /** Of a held delivery, so that the user sees, edits and releases what they made of it. */
  async #runScripts(id: number, targets: readonly ForwardTarget[]): Promise<void> {
    const scripted = targets.filter(({ script }) => script !== null)
    const captured = scripted.length > 0 ? this.#parts.captured(id) : null
    if (!captured) return
    for (const target of scripted) {
      const run = await this.versions.run(target, captured)
      if (run?.result.kind !== 'failed') continue
      this.holds.explain(id, describeFailure(target.script ?? '', run.result.failure))
    }
  }

  async #drained(ms: number): Promise<void> {
    const deadline = performance.now() + ms
    while (this.holds.hasReleased && performance.now() < deadline) await pause(restMs)
  }
}

interface PlannedForward {
  readonly queue: TargetQueue
  /** Why it is not forwarded, as a sentence; null: it is. */
  readonly skip: string | null
}
