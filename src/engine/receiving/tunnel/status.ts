import { isDeepStrictEqual } from 'node:util'
import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import type { Clock } from '../../platform/clock.ts'
import { why, type Why } from './messages.ts'

/** What is not stored. */
export type TunnelStatusView = Omit<TunnelView, 'setup' | 'warnings'>

const noTunnel = {
  url: null,
  probe: null,
  nextProbeAt: null,
  connections: null,
} as const

/** The state until a tunnel is opened. `since`: in milliseconds since the epoch. */
export function neverOpened(since: number): TunnelStatusView {
  return {
    state: 'off',
    since,
    ...why.never(),
    ...noTunnel,
    nextTryAt: null,
    failures: 0,
    using: null,
    temporary: false,
  }
}

export class TunnelStatus {
  readonly #clock: Clock
  /** `isNewState`: not only other details changed. */
  readonly #changed: (isNewState: boolean) => void
  #view: TunnelStatusView

  constructor(clock: Clock, changed: (isNewState: boolean) => void) {
    this.#clock = clock
    this.#changed = changed
    this.#view = neverOpened(clock.now())
  }

  get view(): TunnelStatusView {
    return this.#view
  }

  enter(state: TunnelStateName, reason: Why, more: Partial<TunnelStatusView> = {}): void {
    this.#set(state, reason, { ...(isOpen(state) ? {} : noTunnel), nextTryAt: null, ...more })
  }

  setReason(reason: Why, more: Partial<TunnelStatusView> = {}): void {
    this.#set(this.#view.state, reason, more)
  }

  update(more: Partial<Omit<TunnelStatusView, 'state' | 'since' | 'cause' | 'reason'>>): void {
    this.#view = { ...this.#view, ...more }
    this.#changed(false)
  }

  #set(state: TunnelStateName, reason: Why, more: Partial<TunnelStatusView>): void {
    const before = this.#view
    const isSame = state === before.state || (isDown(state) && isDown(before.state))
    const since = isSame ? before.since : this.#clock.now()
    const all: TunnelStatusView = { ...before, ...more, ...reason, state, since }
    if (isDeepStrictEqual(all, before)) return
    this.#view = all
    this.#changed(true)
  }
}

/** A retry does not restart the time since which the tunnel is down. */
function isDown(state: TunnelStateName): boolean {
  return state === 'offline' || state === 'reconnecting'
}

function isOpen(state: TunnelStateName): boolean {
  return state === 'online' || state === 'degraded'
}
