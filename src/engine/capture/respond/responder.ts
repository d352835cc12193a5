import type { ForwardTarget, RuleUse } from '#contract/answering.ts'
import { steadyClock } from '../../clock.ts'
import { throttle, type Throttle } from '../../throttle.ts'
import { answer, answerReady, dropConnection } from '../answer.ts'
import { nowUs, type ReceivedRequest } from '../received-request.ts'
import type { Planner } from '../group-commit.ts'
import type { AnsweredRecord } from '../journal-format.ts'
import type { EndpointRoute } from '../messages.ts'
import { Delays, type Delayed } from './delays.ts'
import { Passing, type Passed, type PassLimits, type PassPort } from './passing.ts'
import { droppedReason, passPlan, rulePlan, silentPlan, usualPlan, type Plan } from './plan.ts'
import { Rules } from './rules.ts'

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
