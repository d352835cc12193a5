import type { ForwardTarget, RuleUse } from '#contract/endpoint-rules.ts'
import { steadyClock } from '../../../platform/clock.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { sendPrepared, dropConnection } from '../send-response.ts'
import { nowUs, type ReceivedRequest, type HttpResponseChannel } from '../received-request.ts'
import type { Planner } from '../group-commit.ts'
import type { LateResponse } from '../../../deliveries/groups.ts'
import {
  notHolding,
  type Holding,
  type AskResponse,
  type OtherResponse,
  type PassResponse,
  type AskRequest,
} from '../messages.ts'
import type { EndpointRoute } from '../../../payload/endpoint.ts'
import { PassThrough, type PassThroughResult, type PassPort } from './pass-through.ts'
import {
  askPlan,
  droppedReason,
  passPlan,
  rulePlan,
  silentPlan,
  type Plan,
  Rules,
  type CountedRule,
  type PreparedResponse,
  prepareResponse,
} from './rules.ts'

interface AskPort {
  post(request: AskRequest): void
}

interface Pending {
  readonly channel: HttpResponseChannel
  readonly resolve: (response: OtherResponse | null) => void
}

const maxPending = 1000

/**
 * Asks the sender thread whether a durable delivery gets another response than planned: that of a script, or of the user while it is held. It answers each
 * question once, in its own time limits; with null, the planned response is sent, which also happens if the sender ends, the listener closes, or too many wait.
 */
class Asking {
  readonly #port: AskPort
  readonly #pending = new Map<number, Pending>()
  #nextKey = 1
  #isSenderClosed = false

  constructor(port: AskPort) {
    this.#port = port
  }

  get size(): number {
    return this.#pending.size
  }

  ask(
    question: Omit<AskRequest, 'kind' | 'key'>,
    channel: HttpResponseChannel,
    resolve: Pending['resolve'],
  ): void {
    if (this.#isSenderClosed || this.#pending.size >= maxPending || channel.connection.closing) {
      resolve(null)
      return
    }
    const key = this.#nextKey
    this.#nextKey += 1
    this.#pending.set(key, { channel, resolve })
    channel.connection.waiting += 1
    this.#port.post({ kind: 'ask', key, ...question })
  }

  /** Ignored if it came too late. */
  receive({ key, response }: Omit<AskResponse, 'kind'>): void {
    this.#end(key, response)
  }

  /** On connections that are being closed. */
  expedite(): void {
    for (const [key, { channel }] of this.#pending) {
      if (channel.connection.closing) this.#end(key, null)
    }
  }

  senderClosed(): void {
    this.#isSenderClosed = true
    for (const key of this.#pending.keys()) this.#end(key, null)
  }

  #end(key: number, response: OtherResponse | null): void {
    const pending = this.#pending.get(key)
    if (!pending) return
    this.#pending.delete(key)
    pending.channel.connection.waiting -= 1
    pending.resolve(response)
  }
}

interface Delayed {
  readonly id: number
  readonly channel: HttpResponseChannel
  /** Null: the connection is dropped. */
  readonly prepared: PreparedResponse | null
  readonly by: LateResponse['respondedBy']
}

export class DelayedResponses {
  readonly #send: (delayed: Delayed) => void
  readonly #limit: number
  readonly #waiting = new Map<Delayed, NodeJS.Timeout>()

  /** `send` is called when a response is due. Beyond `limit`, the one that waits longest is sent early. */
  constructor(send: (delayed: Delayed) => void, limit: number) {
    this.#send = send
    this.#limit = limit
  }

  get size(): number {
    return this.#waiting.size
  }

  /** `delay`: milliseconds from now. */
  add(delayed: Delayed, delay: number): void {
    delayed.channel.connection.waiting += 1
    this.#waiting.set(
      delayed,
      setTimeout(() => this.#end(delayed), delay),
    )
    const [oldest] = this.#waiting.keys()
    if (oldest && this.#waiting.size > this.#limit) this.#end(oldest)
  }

  /** Sends those on closing connections immediately. */
  expedite(): void {
    for (const delayed of this.#waiting.keys()) {
      if (delayed.channel.connection.closing) this.#end(delayed)
    }
  }

  #end(delayed: Delayed): void {
    clearTimeout(this.#waiting.get(delayed))
    this.#waiting.delete(delayed)
    delayed.channel.connection.waiting -= 1
    this.#send(delayed)
  }
}

export interface ResponderOptions {
  readonly sender: PassPort & AskPort
  /** Called for each response that is sent after its group. */
  readonly answered: (response: LateResponse) => void
  /** Called at most five times a second. */
  readonly used: (uses: RuleUse[]) => void
  readonly random?: () => number
}

const reportEveryMs = 200

/** Each takes a connection and a few KiB. */
const maxDelayed = 20_000

const disconnectedReason = 'The sender closed the connection before the response was sent.'

/** Sends responses other than the default 200: of response rules, forward targets, or of the user to a held delivery. */
export class Responder implements Planner {
  readonly #options: ResponderOptions
  readonly #rules = new Rules()
  readonly #delays: DelayedResponses
  readonly #passThrough: PassThrough
  readonly #asking: Asking
  readonly #reporting: Throttle
  readonly #random: () => number
  #passes = new Map<number, ForwardTarget>()
  #holding = notHolding
  #relevantEndpoints = new Set<number>()

  constructor(options: ResponderOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
    this.#delays = new DelayedResponses((delayed) => this.#sendDelayed(delayed), maxDelayed)
    this.#passThrough = new PassThrough(options.sender, (result) => this.#sendPassed(result))
    this.#asking = new Asking(options.sender)
    this.#reporting = throttle(steadyClock, reportEveryMs, () => options.used(this.#rules.uses()))
  }

  get waiting(): number {
    return this.#delays.size + this.#passThrough.size + this.#asking.size
  }

  hold(holding: Holding): void {
    this.#holding = holding
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
    if (endpoint === null || status !== 200) return null
    const planned = this.#relevantEndpoints.has(endpoint.id)
      ? this.#planned(received, endpoint.id, type)
      : null
    const action = planned?.action
    if (action?.kind === 'rule' && action.counted.prepared === null) connection.dropping = true
    const script =
      action?.kind === 'rule' && action.counted.rule.response.kind === 'script'
        ? action.counted
        : null
    const { response, forward } = this.#holding
    const isAsked = script !== null || response || (forward && action?.kind === 'pass')
    return isAsked ? askPlan(planned, script) : planned
  }

  #planned(received: ReceivedRequest, endpointId: number, type: string | null): Plan | null {
    const counted = this.#rules.decide(endpointId, type, this.#random)
    this.#reporting.wanted()
    if (counted) return rulePlan(counted)
    const forward = this.#passes.get(endpointId)
    if (forward && received.own !== 'forward' && fits(forward, type)) return passPlan(forward)
    return null
  }

  execute({ action }: Plan, received: ReceivedRequest, id: number): void {
    const { channel } = received
    if (channel.kind !== 'response') return
    switch (action.kind) {
      case 'rule': {
        const { counted } = action
        if (counted.rule.delayMs > 0) this.#sendLater(delayedOf(counted, channel, id))
        else if (counted.prepared) sendPrepared(channel, counted.prepared)
        else dropConnection(channel)
        break
      }
      case 'pass':
        this.#passThrough.forward(action.forward, channel, id)
        break
      case 'ask':
        this.#asking.ask(
          {
            deliveryId: id,
            ruleId: action.script?.rule.id ?? null,
            passes: action.planned?.action.kind === 'pass',
          },
          channel,
          (response) =>
            response
              ? this.#sendOther(response, action.script, channel, id)
              : this.#executeLate(action.planned, received, channel, id),
        )
        break
      case 'silent':
        break
    }
  }

  #executeLate(
    plan: Plan | null,
    received: ReceivedRequest,
    channel: HttpResponseChannel,
    id: number,
  ): void {
    const action = plan?.action
    if (action?.kind === 'pass') this.#passThrough.forward(action.forward, channel, id)
    else if (action?.kind === 'rule') this.#sendLater(delayedOf(action.counted, channel, id))
    else {
      const prepared = prepareResponse(received.status ?? 200, [], new Uint8Array())
      this.#sendDelayed({ id, channel, prepared, by: null })
    }
  }

  #sendOther(
    { by, status, headers, body, delayMs }: OtherResponse,
    script: CountedRule | null,
    channel: HttpResponseChannel,
    id: number,
  ): void {
    const prepared =
      status === null ? null : prepareResponse(status, headers, Buffer.from(body, 'utf8'))
    const ruleDelayMs = by === 'rule' ? (script?.rule.delayMs ?? 0) : 0
    this.#sendLater({ id, channel, prepared, by, delayMs: delayMs + ruleDelayMs })
  }

  #sendLater({ delayMs, ...delayed }: Delayed & { delayMs: number }): void {
    if (delayMs > 0 && !delayed.channel.connection.closing) this.#delays.add(delayed, delayMs)
    else this.#sendDelayed(delayed)
  }

  receive(response: PassResponse | AskResponse): void {
    if (response.kind === 'ask') this.#asking.receive(response)
    else this.#passThrough.receive(response)
  }

  senderClosed(): void {
    this.#asking.senderClosed()
    this.#passThrough.senderClosed()
  }

  /** Call when the listener closes: delayed responses are sent immediately, and responses of targets get a short timeout. */
  expedite(): void {
    this.#asking.expedite()
    this.#delays.expedite()
    this.#passThrough.expedite()
  }

  #sendDelayed({ id, channel, prepared, by }: Delayed): void {
    const isSent = prepared ? sendPrepared(channel, prepared) : dropConnection(channel)
    const reason = prepared ? null : droppedReason
    this.#options.answered({
      id,
      atUs: nowUs(),
      status: isSent ? (prepared?.status ?? null) : null,
      respondedBy: isSent ? by : null,
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

function delayedOf(
  { rule, prepared }: CountedRule,
  channel: HttpResponseChannel,
  id: number,
): Delayed & { delayMs: number } {
  return { id, channel, prepared, by: 'rule', delayMs: rule.delayMs }
}

function fits({ types }: ForwardTarget, type: string | null): boolean {
  return types.length === 0 || (type !== null && types.includes(type))
}
