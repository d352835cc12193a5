import type { ListenerState } from '#contract/models.ts'
import type { TunnelStateName, TunnelSetup } from '#contract/tunnel.ts'
import { Attempt, type AttemptEvents, type AttemptDependencies, type Wanted } from './attempt.ts'
import { EventQueue } from './event-queue.ts'
import { failureOf } from './opening.ts'
import type { OpenTunnel, TunnelFailure } from './provider.ts'
import { why, type Why } from './sentences.ts'
import type { TunnelStatus, TunnelStatusView } from './status.ts'
import type { TunnelEntry } from './entry.ts'
import type { Clock } from '../platform/clock.ts'
import { backoff } from '#shared/async/retry.ts'

/** In milliseconds. */
const waits = { shortest: 100, longest: 30_000 }

/** So many losses in a row cost the shortest wait: a server that is started again some times is no reason to be slow. */
const forgiven = 15

/**
 * Waits longer from one try that fails to the next. A tunnel that opens, but is lost again and again before it has held, costs longer waits as
 * well, after some losses: it must not hammer its server.
 */
class BackOff {
  readonly #random: () => number
  readonly #holdsAfter: number
  /** Tries in a row that failed. */
  #failures = 0
  /** Tunnels in a row that were lost before one has held. */
  #losses = 0
  #onlineSince: number | null = null

  /** `random`: from 0 to 1; `holdsAfter`: a tunnel that is online for so long, in milliseconds, has held. */
  constructor(random: () => number, holdsAfter: number) {
    this.#random = random
    this.#holdsAfter = holdsAfter
  }

  /** What made the last tries fail may be over. */
  beginAnew(): void {
    this.#failures = 0
    this.#losses = 0
  }

  /** `now` in milliseconds. */
  online(now: number): void {
    this.#failures = 0
    this.#onlineSince ??= now
  }

  notOnline(now: number): void {
    if (this.#onlineSince !== null && now - this.#onlineSince >= this.#holdsAfter) this.#losses = 0
    this.#onlineSince = null
  }

  /** Milliseconds until the next try, after one that failed. */
  failed(): number {
    this.#failures += 1
    return this.#wait(this.#failures - 1)
  }

  /** The same after the loss of a tunnel that was open: the first costs no wait. */
  lost(): number {
    this.#losses += 1
    return this.#losses === 1 ? 0 : this.#wait(0)
  }

  #wait(before: number): number {
    return backoff(waits, Math.max(before, this.#losses - forgiven), this.#random())
  }
}

/** Says the state, and beside it for as long as that is so that a provider does not let go of what was open before. */
class TunnelReporter {
  readonly #standing: TunnelStatus
  readonly #letGoWithin: number
  /** Its name, and what is said beside that; null: none holds on to anything. */
  #stuck: { readonly label: string; readonly because: Why } | null = null

  /** `letGoWithin`: after so long it is said, in milliseconds. */
  constructor(standing: TunnelStatus, letGoWithin: number) {
    this.#standing = standing
    this.#letGoWithin = letGoWithin
  }

  get isStuck(): boolean {
    return this.#stuck !== null
  }

  stand(state: TunnelStateName, because: Why, more: Partial<TunnelStatusView> = {}): void {
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

export interface TunnelSupervisorParts extends AttemptDependencies {
  /** From 0 to 1. */
  readonly random: () => number
  readonly way: TunnelEntry
  readonly standing: TunnelStatus
  /** The name to be asked for again. */
  readonly again: (wish: TunnelSetup) => string | null
  readonly opened: (tunnel: OpenTunnel, wanted: Wanted) => void
  /** It was found to lead here, for the first time; the signal is aborted when it goes. */
  readonly cameUp: (url: string, signal: AbortSignal) => void
}

/** Keeps open what is wanted, one tunnel at a time, whatever happens to it. */
export class TunnelSupervisor {
  readonly #parts: TunnelSupervisorParts
  readonly #standing: TunnelStatus
  readonly #voice: TunnelReporter
  readonly #way: TunnelEntry
  /** `changed`: what is wanted, or the listener; `now`: the next try is not to be waited for. */
  readonly #backOff: BackOff
  readonly #events: EventQueue<'changed' | 'now'>
  /** Who waits until nothing is left of what was open. */
  readonly #waiting: (() => void)[] = []
  #wanted: Wanted | null = null
  #listener: ListenerState = { state: 'stopped', port: 0 }
  #attempt: Attempt | null = null
  /** The next try is waited for; `idle`: it will not come by itself. */
  #pausing: 'timed' | 'idle' | null = null
  /** None was tried since it was asked for. */
  #first = true
  #lastFailure: Why = why.never()
  #ended = false
  #over = false

  constructor(parts: TunnelSupervisorParts) {
    this.#parts = parts
    this.#standing = parts.standing
    this.#voice = new TunnelReporter(parts.standing, parts.pace.letGoWithin)
    this.#way = parts.way
    this.#backOff = new BackOff(parts.random, parts.pace.holdsAfter)
    this.#events = new EventQueue(parts.clock)
    void this.#keep()
  }

  get wanted(): Wanted | null {
    return this.#wanted
  }

  /** The tunnel that was found to lead here, until the signal is aborted; null: there is none. */
  get live(): { readonly url: string; readonly signal: AbortSignal } | null {
    return this.#attempt?.live ?? null
  }

  /** From now on this one is to be open, in place of any other. */
  want(wanted: Wanted, because: Why): void {
    if (this.#ended) return
    this.#wanted = wanted
    this.#first = true
    this.#backOff.beginAnew()
    this.#anew(because)
  }

  /** From now on none is to be open. Resolves when nothing of one is left, or its provider does not let go of it. */
  async unwant(because: Why): Promise<void> {
    this.#wanted = null
    this.#giveUp()
    // Why it is off is not said anew.
    if (this.#standing.view.state !== 'off') {
      this.#voice.stand('off', because, { using: null, temporary: false, failures: 0 })
    }
    this.#events.happen('changed')
    if (!this.#voice.isStuck && !this.#over)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** As `unwant`, for good. */
  async end(): Promise<void> {
    this.#ended = true
    await this.unwant(why.ended())
  }

  /** Does now what would be done later. Resolves when a probe is over, or a try has begun. */
  async check(): Promise<void> {
    if (this.#pausing) return this.#tryNow(why.again(this.#label()))
    await this.#attempt?.watch?.check()
  }

  /** Something has happened to this computer: what is open may be dead, and what failed may work. */
  shaken(happened: Why): void {
    this.#backOff.beginAnew()
    if (this.#pausing === 'timed') this.#tryNow(why.after(this.#label(), happened))
    else this.#attempt?.watch?.shaken(happened)
  }

  listenerChanged(listener: ListenerState): void {
    // What listened before still does, until it is known how this ends.
    if (listener.state === 'starting') return
    const before = this.#listener
    this.#listener = listener
    const label = this.#label()
    if (listener.state !== 'listening') {
      if (before.state === 'listening') this.#anew(why.listenerDown(listener))
    } else if (before.state !== 'listening') {
      this.#anew(why.listenerBack(label))
    } else if (before.port !== listener.port && this.#wanted?.provider.leadsTo === 'listener') {
      this.#anew(why.listenerMoved(label, listener.port))
    }
  }

  #label(): string {
    return this.#wanted?.provider.label ?? ''
  }

  /** What is open is given up, and what is wanted is opened, if it can be. */
  #anew(because: Why): void {
    if (!this.#wanted) return
    this.#giveUp()
    const { wish, temporary } = this.#wanted
    const more = { using: wish, temporary, ...(this.#first ? { failures: 0 } : {}) }
    if (this.#listener.state !== 'listening') {
      this.#voice.stand('offline', why.listenerDown(this.#listener), more)
    } else {
      this.#voice.stand(this.#first ? 'opening' : 'reconnecting', because, more)
    }
    this.#events.happen('changed')
  }

  #giveUp(): void {
    this.#pausing = null
    this.#attempt?.giveUp()
    this.#backOff.notOnline(this.#parts.clock.now())
  }

  #tryNow(because: Why): void {
    this.#pausing = null
    this.#voice.stand('reconnecting', because)
    this.#events.happen('now')
  }

  async #keep(): Promise<void> {
    for (;;) {
      this.#events.take('changed')
      this.#events.take('now')
      const wanted = this.#wanted
      const listener = this.#listener
      if (!wanted || listener.state !== 'listening') await this.#way.close()
      for (const go of this.#waiting.splice(0)) go()
      if (this.#ended) {
        this.#over = true
        return
      }
      if (!wanted || listener.state !== 'listening') {
        await this.#events.wait(['changed'], null)
        continue
      }
      await this.#try(wanted, listener.port)
    }
  }

  /** Returns when nothing of the tunnel is left, and the next try is due. */
  async #try(wanted: Wanted, listenerPort: number): Promise<void> {
    const attempt = new Attempt(wanted, this.#parts, this.#told(wanted))
    this.#attempt = attempt
    this.#first = false
    const failure = await this.#run(attempt, listenerPort)
    const failedAt = this.#parts.clock.now()
    const wait = failure && !attempt.isGivenUp ? this.#failed(failure, attempt.wasUp) : 0
    await attempt.close()
    this.#attempt = null
    this.#voice.free()
    if (this.#pausing) await this.#pause(wait, failedAt)
  }

  /** Opens, and looks after it; returns why it is to be closed, or null when it was given up. */
  async #run(attempt: Attempt, listenerPort: number): Promise<TunnelFailure | null> {
    const { provider, wish } = attempt.wanted
    let port: number
    try {
      port = await this.#way.port(provider.leadsTo, listenerPort)
    } catch (error) {
      const { log } = this.#parts
      const logId = log.error('the local listener for the tunnel could not be opened', error)
      return failureOf(why.internal(provider.label, 'be opened', logId))
    }
    return attempt.run(port, this.#parts.again(wish), this.#way)
  }

  #told(wanted: Wanted): AttemptEvents {
    const { clock, standing, opened, cameUp } = this.#parts
    return createTunnelReporter({
      clock,
      standing,
      backOff: this.#backOff,
      opened: (tunnel) => opened(tunnel, wanted),
      cameUp: () => {
        if (this.live) cameUp(this.live.url, this.live.signal)
      },
      stuck: () => {
        this.#voice.stuck(wanted.provider.label)
        for (const go of this.#waiting.splice(0)) go()
      },
    })
  }

  /** Says why there is no tunnel; returns in how many milliseconds the next try is due. */
  #failed({ code, message, retry }: TunnelFailure, wasUp: boolean): number {
    const { clock } = this.#parts
    const because: Why = { cause: code, reason: message }
    const failures = wasUp ? 0 : this.#standing.view.failures + 1
    this.#backOff.notOnline(clock.now())
    this.#pausing = retry ? 'timed' : 'idle'
    if (!retry) {
      this.#voice.stand('offline', because, { failures })
      return 0
    }
    const wait = wasUp ? this.#backOff.lost() : this.#backOff.failed()
    if (wait === 0) {
      this.#pausing = null
      this.#voice.stand('reconnecting', why.lost(because), { failures })
    } else {
      this.#voice.stand('offline', because, { failures, nextTryAt: clock.now() + wait })
    }
    this.#lastFailure = because
    return wait
  }

  async #pause(wait: number, since: number): Promise<void> {
    // A clock that was set meanwhile makes it neither longer nor shorter than nothing.
    const passed = Math.min(wait, Math.max(0, this.#parts.clock.now() - since))
    await this.#events.wait(['changed', 'now'], this.#pausing === 'idle' ? null : wait - passed)
    if (!this.#pausing) return
    this.#pausing = null
    const { failures } = this.#standing.view
    this.#voice.stand('reconnecting', why.retry(this.#label(), failures, this.#lastFailure))
  }
}

interface TunnelReporterParts {
  readonly clock: Clock
  readonly standing: TunnelStatus
  readonly backOff: BackOff
  readonly opened: (tunnel: OpenTunnel) => void
  /** It was found to lead here, for the first time. */
  readonly cameUp: () => void
  readonly stuck: () => void
}

/** What becomes of the standing when something is told of an attempt. */
function createTunnelReporter(parts: TunnelReporterParts): AttemptEvents {
  const { clock, standing, backOff } = parts
  let isUp = false
  return {
    opened: (tunnel) => {
      standing.stay(why.assigned(standing.view.cause, tunnel.url), { url: tunnel.url })
      parts.opened(tunnel)
    },
    stands: (state, because) => {
      switch (state) {
        case 'coming':
          return standing.stay(because)
        case 'degraded':
          backOff.notOnline(clock.now())
          return standing.stand('degraded', because, { failures: 0 })
        case 'online':
          backOff.online(clock.now())
          standing.stand('online', because, { failures: 0 })
          if (!isUp) parts.cameUp()
          isUp = true
      }
    },
    probed: (probe) => standing.note({ probe }),
    next: (nextProbeAt) => standing.note({ nextProbeAt }),
    connections: (open, most) => standing.note({ connections: { open, most } }),
    stuck: parts.stuck,
  }
}
