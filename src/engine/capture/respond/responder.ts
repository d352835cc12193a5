import type { ForwardTarget, RuleUse } from '#contract/endpoint-rules.ts'
import { steadyClock } from '../../platform/clock.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { sendStatus, sendPrepared, dropConnection } from '../send-response.ts'
import { nowUs, type ReceivedRequest, type HttpResponseChannel } from '../received-request.ts'
import type { Planner } from '../group-commit.ts'
import type { LateResponse } from '../groups.ts'
import type { EndpointRoute } from '../messages.ts'
import { PassThrough, type PassThroughResult, type PassPort } from './pass-through.ts'
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

/** `dueAt` is in milliseconds of any clock. Of two items due at the same time, the one added first comes first. */
interface Entry<T> {
  readonly item: T
  dueAt: number
  readonly order: number
}

/** A binary heap by due time: adding or taking one of ten thousand takes about fourteen steps. */
export class DelayQueue<T> {
  #heap: Entry<T>[] = []
  #added = 0

  get size(): number {
    return this.#heap.length
  }

  get nextAt(): number | null {
    return this.#heap[0]?.dueAt ?? null
  }

  add(item: T, dueAt: number): void {
    this.#added += 1
    this.#heap.push({ item, dueAt, order: this.#added })
    this.#rise(this.#heap.length - 1)
  }

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

  /** Makes all matching items due immediately, in their current order. */
  expedite(matches: (item: T) => boolean): void {
    const entries = this.#heap.toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
    const early = entries.filter(({ item }) => matches(item))
    const rest = entries.filter(({ item }) => !matches(item))
    this.#heap = []
    for (const { item } of early) this.add(item, Number.NEGATIVE_INFINITY)
    for (const { item, dueAt } of rest) this.add(item, dueAt)
  }

  #isBefore(first: number, second: number): boolean {
    const a = this.#heap[first]
    const b = this.#heap[second]
    if (!a || !b) return false
    return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order)
  }

  #swap(first: number, second: number): void {
    const a = this.#heap[first]
    const b = this.#heap[second]
    if (!a || !b) return
    this.#heap[first] = b
    this.#heap[second] = a
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

/** A delivery on disk. Its body is not held in memory. */
interface Delayed {
  readonly id: number
  readonly channel: HttpResponseChannel
  readonly counted: CountedRule
}

/** Sent in one go, so that many that are due at the same time do not block incoming requests. */
const batchSize = 200

export class DelayedResponses {
  readonly #send: (delayed: Delayed) => void
  readonly #limit: number
  readonly #queue = new DelayQueue<Delayed>()
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #draining = false

  /** `send` is called when a response is due. Beyond `limit`, the one that is due first is sent early. */
  constructor(send: (delayed: Delayed) => void, limit: number) {
    this.#send = send
    this.#limit = limit
  }

  get size(): number {
    return this.#queue.size
  }

  /** `delay`: milliseconds from now. */
  add(delayed: Delayed, delay: number): void {
    delayed.channel.connection.waiting += 1
    this.#queue.add(delayed, performance.now() + delay)
    if (this.#queue.size > this.#limit) this.#sendNext()
    this.#arm()
  }

  expedite(): void {
    this.#queue.expedite(({ channel }) => channel.connection.closing)
    this.#arm()
  }

  #arm(): void {
    const at = this.#queue.nextAt
    if (at === null || this.#draining || (this.#timer && this.#timerAt <= at)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#run(), Math.max(0, Math.ceil(at - performance.now())))
  }

  #run(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#draining = false
    const now = performance.now()
    for (let sent = 0; sent < batchSize && this.#isDue(now); sent += 1) this.#sendNext()
    if (this.#isDue(now)) {
      this.#draining = true
      setImmediate(() => this.#run())
    } else {
      this.#arm()
    }
  }

  #isDue(now: number): boolean {
    const at = this.#queue.nextAt
    return at !== null && at <= now
  }

  #sendNext(): void {
    const delayed = this.#queue.take()
    if (!delayed) return
    delayed.channel.connection.waiting -= 1
    this.#send(delayed)
  }
}

export interface ResponderOptions {
  readonly sender: PassPort
  /** Called for each response that is sent after its group. */
  readonly answered: (response: LateResponse) => void
  /** Called at most five times a second. */
  readonly used: (uses: RuleUse[]) => void
  readonly storedUses?: readonly RuleUse[]
  readonly random?: () => number
}

const reportEveryMs = 200

/** Each takes a connection and a few KiB. Beyond this, the one due first is sent early. */
const maxDelayed = 20_000

const disconnectedReason = 'The sender closed the connection before the response was sent.'

/** Sends responses other than the default 200: of response rules or forward targets. */
export class Responder implements Planner {
  readonly #options: ResponderOptions
  readonly #rules: Rules
  readonly #delays: DelayedResponses
  readonly #passThrough: PassThrough
  readonly #reporting: Throttle
  readonly #random: () => number
  #passes = new Map<number, ForwardTarget>()
  /** Endpoints with response rules or a target that responds. For all others, one lookup is enough. */
  #relevantEndpoints = new Set<number>()

  constructor(options: ResponderOptions) {
    this.#options = options
    this.#rules = new Rules(options.storedUses)
    this.#random = options.random ?? Math.random
    this.#delays = new DelayedResponses((delayed) => this.#sendDelayed(delayed), maxDelayed)
    this.#passThrough = new PassThrough(options.sender, (result) => this.#sendPassed(result))
    this.#reporting = throttle(steadyClock, reportEveryMs, () => options.used(this.#rules.uses()))
  }

  get waiting(): number {
    return this.#delays.size + this.#passThrough.size
  }

  configure(routes: readonly Pick<EndpointRoute, 'id' | 'responses' | 'forwards'>[]): void {
    const hadAny = this.#relevantEndpoints.size > 0
    this.#rules.configure(routes.flatMap(({ responses }) => responses))
    this.#passes = new Map(
      routes.flatMap(({ id, forwards }) => {
        const forward = forwards.find(({ mode, enabled }) => mode === 'return' && enabled)
        return forward ? [[id, forward] as const] : []
      }),
    )
    const isRelevant = ({ id, responses }: (typeof routes)[number]): boolean =>
      responses.length > 0 || this.#passes.has(id)
    this.#relevantEndpoints = new Set(routes.filter(isRelevant).map(({ id }) => id))
    if (hadAny || this.#relevantEndpoints.size > 0) this.#reporting.wanted()
  }

  /**
   * A response rule takes precedence over a forward target. A delivery that was forwarded to the Tabscope listener is not forwarded again for its
   * response, so that a loop ends after one hop.
   */
  plan(received: ReceivedRequest, type: string | null): Plan | null {
    const { channel, endpoint, arrival, status } = received
    if (channel.kind !== 'response' || arrival !== 'complete') return null
    const { connection } = channel
    if (connection.dropping) return silentPlan
    if (endpoint === null || status !== 200 || !this.#relevantEndpoints.has(endpoint.id))
      return null
    const { counted, matched } = this.#rules.decide(endpoint.id, type, this.#random)
    this.#reporting.wanted()
    if (counted) {
      if (counted.prepared === null) connection.dropping = true
      return rulePlan(counted, matched)
    }
    const forward = this.#passes.get(endpoint.id)
    if (forward && received.own !== 'forward' && fits(forward, type))
      return passPlan(forward, matched)
    return matched.length === 0 ? null : usualPlan(status, matched)
  }

  execute({ action }: Plan, received: ReceivedRequest, id: number): void {
    const { channel } = received
    if (channel.kind !== 'response') return
    switch (action.kind) {
      case 'usual':
        sendStatus(channel, received.status)
        break
      case 'rule': {
        const { counted } = action
        const { delayMs } = counted.rule
        const delayed = { id, channel, counted }
        if (delayMs > 0 && channel.connection.closing) this.#sendDelayed(delayed)
        else if (delayMs > 0) this.#delays.add(delayed, delayMs)
        else if (counted.prepared) sendPrepared(channel, counted.prepared)
        else dropConnection(channel)
        break
      }
      case 'pass':
        this.#passThrough.forward(action.forward, received, channel, id)
        break
      case 'silent':
        break
    }
  }

  get passThrough(): Pick<PassThrough, 'receive' | 'senderClosed'> {
    return this.#passThrough
  }

  /** Call when the listener closes: delayed responses are sent immediately, and responses of targets get a short timeout. */
  expedite(): void {
    this.#delays.expedite()
    this.#passThrough.expedite()
  }

  #sendDelayed({ id, channel, counted }: Delayed): void {
    const { prepared } = counted
    const isSent = prepared ? sendPrepared(channel, prepared) : dropConnection(channel)
    const reason = prepared ? null : droppedReason
    this.#options.answered({
      id,
      atUs: nowUs(),
      status: isSent ? (prepared?.status ?? null) : null,
      respondedBy: isSent ? 'rule' : null,
      reason: isSent ? reason : disconnectedReason,
    })
  }

  #sendPassed({ id, channel, prepared, reason }: PassThroughResult): void {
    const isSent = sendPrepared(channel, prepared)
    this.#options.answered({
      id,
      atUs: nowUs(),
      status: isSent ? prepared.status : null,
      respondedBy: isSent ? 'target' : null,
      reason: isSent ? reason : disconnectedReason,
    })
  }
}

function fits({ types }: ForwardTarget, type: string | null): boolean {
  return types.length === 0 || (type !== null && types.includes(type))
}
