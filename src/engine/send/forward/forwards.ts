import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import { systemClock, type Clock } from '../../clock.ts'
import type { PassQuestion } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { Backlog } from './backlog.ts'
import { follow, type Followed } from './follow.ts'
import { createAttempt } from './forwarding.ts'
import { Lane, type LaneParts } from './lane.ts'
import { createPassing } from './passing.ts'
import { createSkipWriting } from './skip-writing.ts'
import { throttle } from '../../throttle.ts'

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

const loopEnds = 'It came from a forward of Tabscope itself: a loop ends here.'
const notWhole = 'It did not arrive whole.'
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
  const lanes = new Map<number, Lane>()
  /** Of targets that were removed, until what was under way has ended and what they skipped is written. */
  const leaving = new Set<Lane>()
  let byEndpoint = new Map<number, Lane[]>()
  let told = '[]'

  const all = (): Lane[] => [...lanes.values(), ...leaving]
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
  const laneParts: LaneParts = {
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
      else lanes.set(target.id, new Lane(target, laneParts))
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
