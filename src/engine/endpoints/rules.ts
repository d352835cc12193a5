import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/answering.ts'

/** Temporary forward targets have ids from here on: those of the store never come so far. */
const firstTemporaryId = 1_000_000_000_000

/** What is answered and passed on, for every endpoint: as stored, and what is of this run alone. */
export class Answering {
  #forwards: readonly ForwardTarget[]
  #responses: readonly ResponseRule[]
  #nextTemporary = firstTemporaryId
  uses: readonly RuleUse[]

  constructor(
    forwards: readonly ForwardTarget[],
    responses: readonly ResponseRule[],
    uses: readonly RuleUse[],
  ) {
    this.#forwards = forwards
    this.#responses = responses
    this.uses = uses
  }

  get forwards(): readonly ForwardTarget[] {
    return this.#forwards
  }

  get responses(): readonly ResponseRule[] {
    return this.#responses
  }

  temporaryId(): number {
    this.#nextTemporary += 1
    return this.#nextTemporary
  }

  putForward(forward: ForwardTarget): void {
    const others = this.#forwards.filter(({ id }) => id !== forward.id)
    this.#forwards = [...others, forward].toSorted((a, b) => a.id - b.id)
  }

  removeForward(id: number): void {
    this.#forwards = this.#forwards.filter((forward) => forward.id !== id)
  }

  /** The rules of an endpoint, in place of those before. */
  putResponses(endpointId: number, rules: readonly ResponseRule[]): void {
    const others = this.#responses.filter((rule) => rule.endpointId !== endpointId)
    this.#responses = [...others, ...rules]
  }

  /** Switches rules off, of one endpoint or (null) of all. */
  switchOff(endpointId: number | null): void {
    this.#responses = this.#responses.map((rule) =>
      (endpointId ?? rule.endpointId) === rule.endpointId ? { ...rule, on: false } : rule,
    )
  }

  /** With the endpoint all of it is gone. */
  removeEndpoint(endpointId: number): void {
    this.#forwards = this.#forwards.filter((forward) => forward.endpointId !== endpointId)
    this.#responses = this.#responses.filter((rule) => rule.endpointId !== endpointId)
  }
}
