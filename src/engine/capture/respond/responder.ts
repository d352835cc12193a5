import type { ForwardTarget, RuleUse } from '#contract/answering.ts'
import { steadyClock } from '../../platform/clock.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { answer, answerReady, dropConnection } from '../answer.ts'
import { nowUs, type ReceivedRequest, type ResponseAnswerer } from '../received-request.ts'
import type { Planner } from '../group-commit.ts'
import type { AnsweredRecord } from '../journal-format.ts'
import type { EndpointRoute } from '../messages.ts'
import { Passing, type Passed, type PassLimits, type PassPort } from './passing.ts'
import {
  droppedReason,
  passPlan,
  rulePlan,
  silentPlan,
  usualPlan,
  type Plan,
  Rules,
  type CountedRule,
} from './rules.ts'

/** Something that is due at a time, in milliseconds of any clock. Of two that are due at once the one added first comes first. */
interface Entry<T> {
  readonly item: T
  dueAt: number
  readonly order: number
}

/** What waits for its time, in a binary heap: adding to and taking from ten thousand is some fourteen steps. */
export class WaitingLine<T> {
  #heap: Entry<T>[] = []
  #added = 0

  get size(): number {
    return this.#heap.length
  }

  /** When the first one is due; null: nothing waits. */
  get nextAt(): number | null {
    return this.#heap[0]?.dueAt ?? null
  }

  add(item: T, dueAt: number): void {
    this.#added += 1
    this.#heap.push({ item, dueAt, order: this.#added })
    this.#rise(this.#heap.length - 1)
  }

  /** Takes the first one out, due or not; undefined: nothing waits. */
  take(): T | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (!first || !last) return undefined
    if (this.#heap.length > 0) {
      this.#heap[0] = last
      this.#sink()
    }
    return first.item
  }

  /** Makes those for which it holds due at once, in the order in which they would have been. */
  hasten(holds: (item: T) => boolean): void {
    const entries = this.#heap.toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
    const early = entries.filter(({ item }) => holds(item))
    const rest = entries.filter(({ item }) => !holds(item))
    this.#heap = []
    for (const { item } of early) this.add(item, Number.NEGATIVE_INFINITY)
    for (const { item, dueAt } of rest) this.add(item, dueAt)
  }

  #isBefore(one: number, other: number): boolean {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (!a || !b) return false
    return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order)
  }

  #swap(one: number, other: number): void {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (!a || !b) return
    this.#heap[one] = b
    this.#heap[other] = a
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1
      const child = this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#isBefore(child, at)) return
      this.#swap(at, child)
      at = child
    }
  }
}

/** A delivery on the disk whose answer waits. Its body is not held. */
interface Delayed {
  readonly id: number
  readonly answerer: ResponseAnswerer
  readonly counted: CountedRule
}

/** So many are given in one go, in order that those due at once do not hold up what arrives. */
const atOnce = 200

/** Answers that wait for their time. */
export class Delays {
  readonly #give: (delayed: Delayed) => void
  readonly #most: number
  readonly #line = new WaitingLine<Delayed>()
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #going = false

  /** `give` is called when one is due. Over `most` that wait, the one that is due first is given early. */
  constructor(give: (delayed: Delayed) => void, most: number) {
    this.#give = give
    this.#most = most
  }

  get size(): number {
    return this.#line.size
  }

  /** `delay` in milliseconds from now. */
  add(delayed: Delayed, delay: number): void {
    delayed.answerer.connection.waiting += 1
    this.#line.add(delayed, performance.now() + delay)
    if (this.#line.size > this.#most) this.#giveOne()
    this.#arm()
  }

  /** Gives those on connections that are to be closed, without waiting any longer. */
  hasten(): void {
    this.#line.hasten(({ answerer }) => answerer.connection.closing)
    this.#arm()
  }

  #arm(): void {
    const at = this.#line.nextAt
    if (at === null || this.#going || (this.#timer && this.#timerAt <= at)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#go(), Math.max(0, Math.ceil(at - performance.now())))
  }

  #go(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#going = false
    const now = performance.now()
    for (let given = 0; given < atOnce && this.#isDue(now); given += 1) this.#giveOne()
    if (this.#isDue(now)) {
      this.#going = true
      setImmediate(() => this.#go())
    } else {
      this.#arm()
    }
  }

  #isDue(now: number): boolean {
    const at = this.#line.nextAt
    return at !== null && at <= now
  }

  #giveOne(): void {
    const delayed = this.#line.take()
    if (!delayed) return
    delayed.answerer.connection.waiting -= 1
    this.#give(delayed)
  }
}

export interface ResponderOptions {
  readonly sender: PassPort
  /** Told of each answer that goes out after its group. */
  readonly answered: (answered: AnsweredRecord) => void
  /** At most five times a second. */
  readonly used: (uses: RuleUse[]) => void
  /** Counts of the rules of earlier runs. */
  readonly storedUses?: readonly RuleUse[]
  /** From 0 up to, but without, 1. */
  readonly random?: () => number
  readonly passLimits?: PassLimits
}

/** Uses of rules are told at least so far apart, in milliseconds. */
const toldEveryMs = 200

/** Delayed answers that wait at once: a connection each, and some KiB. Over it the one due first is given early. */
const mostDelayed = 20_000

const leftReason = 'The sender closed the connection before it was answered.'

/** Answers what does not get the usual 200: by the response rules of its endpoint, or with the answer of a forward target. */
export class Responder implements Planner {
  readonly #options: ResponderOptions
  readonly #rules: Rules
  readonly #delays: Delays
  readonly #passing: Passing
  readonly #telling: Throttle
  readonly #random: () => number
  /** By endpoint. */
  #passes = new Map<number, ForwardTarget>()
  /** Endpoints with anything to decide: for all others it costs one look. */
  #concerned = new Set<number>()

  constructor(options: ResponderOptions) {
    this.#options = options
    this.#rules = new Rules(options.storedUses)
    this.#random = options.random ?? Math.random
    this.#delays = new Delays((delayed) => this.#giveDelayed(delayed), mostDelayed)
    this.#passing = new Passing(
      options.sender,
      (passed) => this.#givePassed(passed),
      options.passLimits,
    )
    this.#telling = throttle(steadyClock, toldEveryMs, () => options.used(this.#rules.uses()))
  }

  /** Answers that wait. */
  get waiting(): number {
    return this.#delays.size + this.#passing.size
  }

  configure(routes: readonly Pick<EndpointRoute, 'id' | 'responses' | 'forwards'>[]): void {
    const hadAny = this.#concerned.size > 0
    this.#rules.configure(routes.flatMap(({ responses }) => responses))
    this.#passes = new Map(
      routes.flatMap(({ id, forwards }) => {
        const forward = forwards.find(({ mode, on }) => mode === 'answer' && on)
        return forward ? [[id, forward] as const] : []
      }),
    )
    const isConcerned = ({ id, responses }: (typeof routes)[number]): boolean =>
      responses.length > 0 || this.#passes.has(id)
    this.#concerned = new Set(routes.filter(isConcerned).map(({ id }) => id))
    if (hadAny || this.#concerned.size > 0) this.#telling.wanted()
  }

  /**
   * A rule that is due goes before a target. What came by a forward to our own listener is passed through no further: a loop ends after
   * one hop.
   */
  plan(arrived: ReceivedRequest, type: string | null): Plan | null {
    const { answerer, endpoint, arrival, status } = arrived
    if (answerer.kind !== 'response' || arrival !== 'complete') return null
    const { connection } = answerer
    if (connection.dropping) return silentPlan
    if (endpoint === null || status !== 200 || !this.#concerned.has(endpoint.id)) return null
    const { counted, met } = this.#rules.decide(endpoint.id, type, this.#random)
    this.#telling.wanted()
    if (counted) {
      if (counted.ready === null) connection.dropping = true
      return rulePlan(counted, met)
    }
    const forward = this.#passes.get(endpoint.id)
    if (forward && arrived.own !== 'forward' && fits(forward, type)) return passPlan(forward, met)
    return met.length === 0 ? null : usualPlan(status, met)
  }

  carryOut({ how }: Plan, arrived: ReceivedRequest, id: number): void {
    const { answerer } = arrived
    if (answerer.kind !== 'response') return
    switch (how.kind) {
      case 'usual':
        answer(answerer, arrived.status)
        break
      case 'rule': {
        const { counted } = how
        const { delay } = counted.rule
        const delayed = { id, answerer, counted }
        if (delay > 0 && answerer.connection.closing) this.#giveDelayed(delayed)
        else if (delay > 0) this.#delays.add(delayed, delay)
        else if (counted.ready) answerReady(answerer, counted.ready)
        else dropConnection(answerer)
        break
      }
      case 'pass':
        this.#passing.ask(how.forward, arrived, answerer, id)
        break
      case 'silent':
        break
    }
  }

  /** Word of the sender thread. */
  get passing(): Pick<Passing, 'take' | 'gone'> {
    return this.#passing
  }

  /** The listener closes: answers that are delayed go out at once, and those of targets must come soon. */
  hasten(): void {
    this.#delays.hasten()
    this.#passing.hasten()
  }

  #giveDelayed({ id, answerer, counted }: Delayed): void {
    const { ready } = counted
    const isOut = ready ? answerReady(answerer, ready) : dropConnection(answerer)
    const told = ready ? null : droppedReason
    this.#options.answered({
      id,
      atUs: nowUs(),
      status: isOut ? (ready?.status ?? null) : null,
      answeredBy: isOut ? 'rule' : null,
      reason: isOut ? told : leftReason,
    })
  }

  #givePassed({ id, answerer, ready, reason }: Passed): void {
    const isOut = answerReady(answerer, ready)
    this.#options.answered({
      id,
      atUs: nowUs(),
      status: isOut ? ready.status : null,
      answeredBy: isOut ? 'target' : null,
      reason: isOut ? reason : leftReason,
    })
  }
}

function fits({ types }: ForwardTarget, type: string | null): boolean {
  return types.length === 0 || (type !== null && types.includes(type))
}
