import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { PassQuestion } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { Backlog, createAttempt } from './forwarding.ts'
import { TargetQueue, type TargetQueueParts } from './target-queue.ts'
import { createPassing } from './passing.ts'
import { throttle } from '#shared/async/throttle.ts'
import type { SendWrites, Skip } from '../store/send-writes.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../capture/progress.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'

/** What decides whether a delivery is forwarded. */
interface Followed {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly arrival: string
  readonly own: string | null
  readonly answeredBy: string | null
}

/** So many are read in one go. */
const atOnce = 500
/** After it has read it rests so long, in milliseconds: in a flood each look finds several, and takes less of the processor. */
const restMs = 5
/** Without a word of the writer it looks again after so long, in milliseconds; and after a read that failed. */
const lookEveryMs = 1000
/** At the end the store may take so long to have what was answered, in milliseconds. */
const levelMs = 500

/**
 * Reads every delivery behind `from` once, in order, as soon as it is in the store. `wanted` says whether anybody asks for them: what nobody
 * asks for is passed over unread. `close` takes along what was answered already.
 */
function follow(options: {
  readonly db: Db
  readonly progress: Progress
  readonly from: number
  readonly wanted: () => boolean
  readonly take: (delivery: Followed) => void
}): { close(): Promise<void> } {
  const { db, progress, wanted, take } = options
  const select = prepare<[number, number], Followed>(
    db,
    `SELECT id, endpoint_id AS endpointId, type, arrival, own, answered_by AS answeredBy FROM delivery
     WHERE id > ? AND id <= ? ORDER BY id LIMIT ${atOnce}`,
  )
  let at = options.from
  let closing = false

  /** False: there is nothing more for now. */
  const some = (): boolean => {
    const stored = progress.storedId
    if (stored <= at) return false
    const rows = wanted() ? select.all(at, stored) : []
    for (const row of rows) take(row)
    // Ids that are not there were deleted already.
    at = rows.length < atOnce ? stored : (rows.at(-1)?.id ?? stored)
    return true
  }

  const loop = async (): Promise<void> => {
    while (!closing) {
      try {
        if (some()) await pause(restMs)
        else await progress.pastStored(at, lookEveryMs)
      } catch {
        // The store is busy or damaged; the writer says so, and what is there is read again.
        await pause(lookEveryMs, undefined, { ref: false })
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
      const deadline = performance.now() + levelMs
      const upTo = progress.lastId
      for (;;) {
        try {
          while (some());
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

/** What was skipped is written at most every so many milliseconds. */
const everyMs = 1000
/** So many stretches are held while the store cannot be written, the newest. */
const mostHeld = 10_000

interface SkipWriting {
  /** There is something to be written. */
  wanted(): void
  /** Writes what there is; resolves when it is tried. */
  close(): Promise<void>
}

/** Has written what `take` returns: deliveries that were not forwarded, since the last time. */
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
      // The store cannot be written, and says so itself: later, then.
      held = skips.slice(-mostHeld)
      if (!closing) soon.wanted()
    }
  }
  const now = (): void => {
    const before = writing
    writing = before.then(write)
  }
  const soon = throttle(clock, everyMs, now)

  return {
    wanted: () => soon.wanted(),
    close: async () => {
      closing = true
      now()
      await writing
    },
  }
}

/** Sends every delivery on as it arrives. */
export interface Forwards {
  /** The list of forward targets has changed. */
  configured(): void
  health(): ForwardHealth[]
  /** Returns how many waited. */
  dropWaiting(forwardId: number): number
  /** A delivery whose answer is to be that of a target; answered by `answerPass`. */
  pass(question: PassQuestion): void
  close(): Promise<void>
}

/** Health is told at most every so many milliseconds. */
const healthEveryMs = 200
/** At the end what is under way may take so long, in milliseconds. */
const graceMs = 500

const loopEnds = 'It was forwarded by Tabscope itself: the loop stops here.'
const notWhole = 'It was incomplete.'
const ruled = 'A response rule answered it instead.'

/**
 * Which of several targets with the same URL gets a delivery: the one whose response is returned, unless a response rule took its place; else a
 * temporary one before a stored one.
 */
function precedence(
  { mode, temporary }: ForwardTarget,
  answeredBy: Followed['answeredBy'],
): number {
  if (mode === 'answer') return answeredBy === 'rule' ? -1 : 2
  return temporary ? 1 : 0
}

/** Forwards what arrives from now on: what is stored up to `from` was there before, and is never forwarded by itself. */
export function createForwards(
  parts: SenderParts,
  from: number,
  clock: Clock = systemClock,
  random: () => number = Math.random,
): Forwards {
  const backlog = new Backlog()
  const lanes = new Map<number, TargetQueue>()
  /** Of targets that were removed, until what was under way has ended and what they skipped is written. */
  const leaving = new Set<TargetQueue>()
  let byEndpoint = new Map<number, TargetQueue[]>()
  let told = '[]'

  const all = (): TargetQueue[] => [...lanes.values(), ...leaving]
  const health = (): ForwardHealth[] => [...lanes.values()].map((lane) => lane.view())
  const healthTelling = throttle(clock, healthEveryMs, () => {
    const now = health()
    const text = JSON.stringify(now)
    if (text === told) return
    told = text
    parts.tell({ event: 'health', health: now })
  })
  const skipWriting = createSkipWriting(parts.writes, clock, () => {
    const skips = all().flatMap((lane) => lane.skips.take())
    for (const lane of leaving) if (lane.underWay === 0) leaving.delete(lane)
    return skips
  })
  const laneParts: TargetQueueParts = {
    clock,
    random,
    attempt: createAttempt(parts, backlog, clock),
    changed: () => healthTelling.wanted(),
    skipped: () => skipWriting.wanted(),
  }

  const configured = (): void => {
    const { forwards } = parts.world
    const ids = new Set(forwards.map(({ id }) => id))
    for (const lane of lanes.values()) {
      if (ids.has(lane.target.id)) continue
      lanes.delete(lane.target.id)
      leaving.add(lane)
      void lane
        .close('The target was removed.', lane.target.timeout)
        .then(() => skipWriting.wanted())
    }
    for (const target of forwards) {
      const lane = lanes.get(target.id)
      if (lane) lane.configure(target)
      else lanes.set(target.id, new TargetQueue(target, laneParts))
    }
    byEndpoint = Map.groupBy(lanes.values(), (lane) => lane.target.endpointId)
    healthTelling.wanted()
  }
  configured()

  const take = ({ id, endpointId, type, arrival, own, answeredBy }: Followed): void => {
    if (endpointId === null) return
    const fitting = (byEndpoint.get(endpointId) ?? []).filter((lane) => lane.fits(type))
    for (const lane of fitting) {
      const { url } = lane.target
      const rank = precedence(lane.target, answeredBy)
      // A temporary target beside a stored one with the same URL: the delivery is sent there once.
      if (
        fitting.some(({ target }) => target.url === url && precedence(target, answeredBy) > rank)
      ) {
        continue
      }
      if (own === 'forward') lane.leaveOut(id, loopEnds)
      else if (arrival !== 'complete') lane.leaveOut(id, notWhole)
      else if (lane.target.mode === 'after') lane.take(id)
      // For all others its answer was asked for by the capture thread.
      else if (answeredBy === 'rule') lane.leaveOut(id, ruled)
    }
  }
  const following = follow({
    db: parts.db,
    progress: parts.progress,
    from,
    wanted: () => lanes.size > 0,
    take,
  })

  return {
    configured,
    health,
    dropWaiting: (id) => lanes.get(id)?.drop('It was dropped while it waited.') ?? 0,
    pass: createPassing(parts, backlog, clock, (id) => lanes.get(id)),
    close: async () => {
      await following.close()
      await Promise.all(all().map((lane) => lane.close('Tabscope was closed.', graceMs)))
      await skipWriting.close()
    },
  }
}
