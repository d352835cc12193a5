import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { PassRequest, SendWrites, Skip } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { Backlog, createAttempt } from './forwarding.ts'
import { TargetQueue, type TargetQueueParts } from './target-queue.ts'
import { createPassing } from './passing.ts'
import { throttle } from '#shared/async/throttle.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../capture/progress.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'

/** The fields of a delivery that decide whether it is forwarded. */
interface NewDelivery {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly arrival: string
  readonly own: string | null
  readonly answeredBy: string | null
}

/** How many deliveries are read at a time. */
const batchSize = 500
/** The pause after each read, in milliseconds, so that under load each read returns several deliveries. */
const restMs = 5
/** Without a notification of the writer, or after a failed read, it reads again after this long, in milliseconds. */
const pollMs = 1000
/** How long closing waits for received deliveries to be stored, in milliseconds. */
const drainMs = 500

/**
 * Reads every delivery after `from` once, in order, as soon as it is stored. `wanted` returns whether there are forward targets; deliveries received
 * without any are skipped. `close` still reads deliveries that were responded to already.
 */
function follow(options: {
  readonly db: Db
  readonly progress: Progress
  readonly from: number
  readonly wanted: () => boolean
  readonly take: (delivery: NewDelivery) => void
}): { close(): Promise<void> } {
  const { db, progress, wanted, take } = options
  const select = prepare<[number, number], NewDelivery>(
    db,
    `SELECT id, endpoint_id AS endpointId, type, arrival, own, answered_by AS answeredBy FROM delivery
     WHERE id > ? AND id <= ? ORDER BY id LIMIT ${batchSize}`,
  )
  let at = options.from
  let closing = false

  /** Returns false if there are no new deliveries. */
  const readBatch = (): boolean => {
    const stored = progress.storedId
    if (stored <= at) return false
    const rows = wanted() ? select.all(at, stored) : []
    for (const row of rows) take(row)
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
        // The store is busy or damaged. The writer reports that. Read again later.
        await pause(pollMs, undefined, { ref: false })
      }
    }
  }
  const looping = loop()

  return {
    close: async () => {
      closing = true
      progress.wakeStored()
      await looping
      if (!wanted()) return
      const deadline = performance.now() + drainMs
      const upTo = progress.lastId
      for (;;) {
        try {
          while (readBatch());
        } catch {
          return
        }
        const left = deadline - performance.now()
        if (at >= upTo || left <= 0) return
        await progress.pastStored(at, left)
      }
    },
  }
}

/** Skipped deliveries are written at most this often, in milliseconds. */
const writeEveryMs = 1000
/** The most ranges held in memory while the store cannot be written; the newest are kept. */
const mostHeld = 10_000

interface SkipWriting {
  /** Schedules a write. */
  wanted(): void
  /** Writes immediately. Resolves after the attempt. */
  close(): Promise<void>
}

/** Writes the skipped deliveries that `take` returns. */
function createSkipWriting(
  writes: ThreadClient<SendWrites>,
  clock: Clock,
  take: () => readonly Skip[],
): SkipWriting {
  let held: readonly Skip[] = []
  let closing = false
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const skips = [...held, ...take()]
    held = []
    if (skips.length === 0) return
    try {
      await writes.call('recordSkips', skips)
    } catch {
      // The store cannot be written, and reports that itself. Retry later.
      held = skips.slice(-mostHeld)
      if (!closing) soon.wanted()
    }
  }
  const now = (): void => {
    const before = writing
    writing = before.then(write)
  }
  const soon = throttle(clock, writeEveryMs, now)

  return {
    wanted: () => soon.wanted(),
    close: async () => {
      closing = true
      now()
      await writing
    },
  }
}

/** Forwards every new delivery. */
export interface Forwards {
  /** The list of forward targets has changed. */
  configured(): void
  health(): ForwardHealth[]
  /** Drops waiting deliveries. Returns how many. */
  dropWaiting(forwardId: number): number
  /** Forwards a delivery that gets the target's response, and replies through `respondToPass`. */
  pass(request: PassRequest): void
  close(): Promise<void>
}

/** Health is published at most this often, in milliseconds. */
const healthEveryMs = 200
/** How long pending requests may take when Tabscope closes, in milliseconds. */
const graceMs = 500

const loopReason = 'Tabscope forwarded it here itself, so it is not forwarded again.'
const incompleteReason = 'The delivery was incomplete.'
const ruleReason = 'A response rule responded instead.'

/**
 * Decides which of several targets with the same URL gets a delivery: the one whose response is returned, unless a response rule responded instead;
 * otherwise a temporary target before a stored one.
 */
function precedence(
  { mode, temporary }: ForwardTarget,
  answeredBy: NewDelivery['answeredBy'],
): number {
  if (mode === 'answer') return answeredBy === 'rule' ? -1 : 2
  return temporary ? 1 : 0
}

/** Forwards new deliveries. Deliveries up to `from` existed before and are never forwarded automatically. */
export function createForwards(
  parts: SenderParts,
  from: number,
  clock: Clock = systemClock,
  random: () => number = Math.random,
): Forwards {
  const backlog = new Backlog()
  const queues = new Map<number, TargetQueue>()
  /** Queues of deleted targets, until their pending requests have ended and their skips are written. */
  const leaving = new Set<TargetQueue>()
  let byEndpoint = new Map<number, TargetQueue[]>()
  let published = '[]'

  const all = (): TargetQueue[] => [...queues.values(), ...leaving]
  const health = (): ForwardHealth[] => [...queues.values()].map((queue) => queue.view())
  const healthPublishing = throttle(clock, healthEveryMs, () => {
    const now = health()
    const text = JSON.stringify(now)
    if (text === published) return
    published = text
    parts.publish({ event: 'health', health: now })
  })
  const skipWriting = createSkipWriting(parts.writes, clock, () => {
    const skips = all().flatMap((queue) => queue.skips.take())
    for (const queue of leaving) if (queue.underWay === 0) leaving.delete(queue)
    return skips
  })
  const queueParts: TargetQueueParts = {
    clock,
    random,
    attempt: createAttempt(parts, backlog, clock),
    changed: () => healthPublishing.wanted(),
    skipped: () => skipWriting.wanted(),
  }

  const configured = (): void => {
    const { forwards } = parts.configuration
    const ids = new Set(forwards.map(({ id }) => id))
    for (const queue of queues.values()) {
      if (ids.has(queue.target.id)) continue
      queues.delete(queue.target.id)
      leaving.add(queue)
      void queue
        .close('The target was deleted.', queue.target.timeout)
        .then(() => skipWriting.wanted())
    }
    for (const target of forwards) {
      const queue = queues.get(target.id)
      if (queue) queue.configure(target)
      else queues.set(target.id, new TargetQueue(target, queueParts))
    }
    byEndpoint = Map.groupBy(queues.values(), (queue) => queue.target.endpointId)
    healthPublishing.wanted()
  }
  configured()

  const take = ({ id, endpointId, type, arrival, own, answeredBy }: NewDelivery): void => {
    if (endpointId === null) return
    const matching = (byEndpoint.get(endpointId) ?? []).filter((queue) => queue.accepts(type))
    for (const queue of matching) {
      const { url } = queue.target
      const rank = precedence(queue.target, answeredBy)
      // A temporary target in addition to a stored one with the same URL: the delivery is sent there once.
      if (
        matching.some(({ target }) => target.url === url && precedence(target, answeredBy) > rank)
      ) {
        continue
      }
      if (own === 'forward') queue.skip(id, loopReason)
      else if (arrival !== 'complete') queue.skip(id, incompleteReason)
      else if (queue.target.mode === 'after') queue.enqueue(id)
      // For other modes, the capture thread requests the response itself.
      else if (answeredBy === 'rule') queue.skip(id, ruleReason)
    }
  }
  const following = follow({
    db: parts.db,
    progress: parts.progress,
    from,
    wanted: () => queues.size > 0,
    take,
  })

  return {
    configured,
    health,
    dropWaiting: (id) => queues.get(id)?.drop('It was dropped while it was waiting.') ?? 0,
    pass: createPassing(parts, backlog, clock, (id) => queues.get(id)),
    close: async () => {
      await following.close()
      await Promise.all(all().map((queue) => queue.close('Tabscope was closed.', graceMs)))
      await skipWriting.close()
    },
  }
}
