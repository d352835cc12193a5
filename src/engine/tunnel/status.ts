import { isDeepStrictEqual } from 'node:util'
import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'
import { why, type Why } from './sentences.ts'

/** The part of the view that follows from what happens. */
export type TunnelStatusView = Pick<
  TunnelView,
  | 'state'
  | 'since'
  | 'cause'
  | 'reason'
  | 'url'
  | 'nextTryAt'
  | 'failures'
  | 'using'
  | 'temporary'
  | 'probe'
  | 'nextProbeAt'
  | 'browser'
  | 'connections'
>

/** What is known of one open tunnel: without a tunnel there is nothing to be known. */
const noTunnel = {
  url: null,
  probe: null,
  nextProbeAt: null,
  browser: null,
  connections: null,
} as const

/** The state of the tunnel, since when, and why. */
export class TunnelStatus {
  readonly #clock: Clock
  /** `before`: null where only what is beside the state has changed. */
  readonly #changed: (now: TunnelStatusView, before: TunnelStatusView | null) => void
  #view: TunnelStatusView

  constructor(
    clock: Clock,
    changed: (now: TunnelStatusView, before: TunnelStatusView | null) => void,
  ) {
    this.#clock = clock
    this.#changed = changed
    this.#view = {
      state: 'off',
      since: clock.now(),
      ...why.never(),
      ...noTunnel,
      nextTryAt: null,
      failures: 0,
      using: null,
      temporary: false,
    }
  }

  get view(): TunnelStatusView {
    return this.#view
  }

  /** Comes into a state. What was known of a tunnel goes with it. */
  stand(state: TunnelStateName, because: Why, more: Partial<TunnelStatusView> = {}): void {
    this.#become(state, because, { ...(isOpen(state) ? {} : noTunnel), nextTryAt: null, ...more })
  }

  /** The same state, for another reason. */
  stay(because: Why, more: Partial<TunnelStatusView> = {}): void {
    this.#become(this.#view.state, because, more)
  }

  /** What has changed beside the state. */
  note(more: Partial<Omit<TunnelStatusView, 'state' | 'since' | 'cause' | 'reason'>>): void {
    this.#view = { ...this.#view, ...more }
    this.#changed(this.#view, null)
  }

  #become(state: TunnelStateName, because: Why, more: Partial<TunnelStatusView>): void {
    const before = this.#view
    const isSame = state === before.state || (isDown(state) && isDown(before.state))
    const since = isSame ? before.since : this.#clock.now()
    const { cause, reason } = because
    const all: TunnelStatusView = { ...before, ...more, state, since, cause, reason }
    if (isDeepStrictEqual(all, before)) return
    this.#view = all
    this.#changed(all, before)
  }
}

/** Whether it was lost or could not be opened, and is tried again: a retry is not a state of its own. */
function isDown(state: TunnelStateName): boolean {
  return state === 'offline' || state === 'reconnecting'
}

/** Whether a tunnel was found to be open. One that is being opened is another than the one of before. */
function isOpen(state: TunnelStateName): boolean {
  return state === 'online' || state === 'degraded'
}
