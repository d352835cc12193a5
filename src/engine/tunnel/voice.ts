import type { TunnelStateName } from '#contract/tunnel.ts'
import { why, type Why } from './sentences.ts'
import type { Standing, StandingView } from './standing.ts'

/** Says the state, and beside it for as long as that is so that a provider does not let go of what was open before. */
export class Voice {
  readonly #standing: Standing
  readonly #letGoWithin: number
  /** Its name, and what is said beside that; null: none holds on to anything. */
  #stuck: { readonly label: string; readonly because: Why } | null = null

  /** `letGoWithin`: after so long it is said, in milliseconds. */
  constructor(standing: Standing, letGoWithin: number) {
    this.#standing = standing
    this.#letGoWithin = letGoWithin
  }

  get isStuck(): boolean {
    return this.#stuck !== null
  }

  stand(state: TunnelStateName, because: Why, more: Partial<StandingView> = {}): void {
    if (this.#stuck) this.#stuck = { ...this.#stuck, because }
    this.#standing.stand(state, this.#said(because, state !== 'off'), more)
  }

  /** The provider takes long to let go. */
  stuck(label: string): void {
    const { state, cause, reason } = this.#standing.view
    this.#stuck = { label, because: { cause, reason } }
    this.#standing.stay(this.#said({ cause, reason }, state !== 'off'))
  }

  /** Nothing is left of what was open. */
  free(): void {
    const stuck = this.#stuck
    this.#stuck = null
    if (stuck) this.#standing.stay(stuck.because)
  }

  /** `isNext`: another is to be opened. */
  #said({ cause, reason }: Why, isNext: boolean): Why {
    if (!this.#stuck) return { cause, reason }
    return { cause, reason: `${reason} ${why.stuck(this.#stuck.label, this.#letGoWithin, isNext)}` }
  }
}
