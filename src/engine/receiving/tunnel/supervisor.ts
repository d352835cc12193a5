import type { ListenerState } from '#contract/models.ts'
import type { TunnelSetup } from '#contract/tunnel.ts'
import { Attempt, type AttemptEvents, type AttemptDependencies, type Wanted } from './attempt.ts'
import { EventQueue } from './event-queue.ts'
import { failureOf, type OpenTunnel, type TunnelFailure } from './provider.ts'
import { why, type Why } from './messages.ts'
import type { TunnelStatus } from './status.ts'
import type { TunnelEntry } from './entry.ts'
import { backoff } from '#shared/async/retry.ts'

const waits = { shortest: 100, longest: 30_000 }
/** A server that limits requests is not asked so often that the limit stays. */
const waitsAfterRefusal = { shortest: 15_000, longest: 600_000 }

/** Up to this many losses in a row the wait stays short: a server that restarts a few times is no reason to slow down. */
const toleratedLosses = 15

/** A tunnel that is lost repeatedly before it is stable also leads to longer waits, so that its server is not flooded with requests. */
class BackOff {
  readonly #random: () => number
  readonly #stableAfter: number
  #failures = 0
  #refusals = 0
  #losses = 0
  #onlineSince: number | null = null

  /** `random`: from 0 to 1; `stableAfter`: a tunnel that was online for this long, in milliseconds, is stable. */
  constructor(random: () => number, stableAfter: number) {
    this.#random = random
    this.#stableAfter = stableAfter
  }

  reset(): void {
    this.#failures = 0
    this.#refusals = 0
    this.#losses = 0
  }

  online(now: number): void {
    this.#failures = 0
    this.#refusals = 0
    this.#onlineSince ??= now
  }

  offline(now: number): void {
    if (this.#onlineSince !== null && now - this.#onlineSince >= this.#stableAfter) this.#losses = 0
    this.#onlineSince = null
  }

  failed(isRefusal: boolean): number {
    this.#failures += 1
    if (isRefusal) return backoff(waitsAfterRefusal, this.#refusals++, this.#random())
    return this.#wait(this.#failures - 1)
  }

  /** Returns the milliseconds until the next attempt: 0 after the first loss. */
  lost(): number {
    this.#losses += 1
    return this.#losses === 1 ? 0 : this.#wait(0)
  }

  #wait(failures: number): number {
    return backoff(waits, Math.max(failures, this.#losses - toleratedLosses), this.#random())
  }
}

export interface TunnelSupervisorParts extends AttemptDependencies {
  readonly random: () => number
  readonly entry: TunnelEntry
  readonly status: TunnelStatus
  readonly nameFor: (setup: TunnelSetup) => string | null
  readonly opened: (tunnel: OpenTunnel, wanted: Wanted) => void
}

/** Keeps the wanted tunnel open, one at a time, and reopens it when it fails. */
export class TunnelSupervisor {
  readonly #parts: TunnelSupervisorParts
  readonly #status: TunnelStatus
  readonly #entry: TunnelEntry
  readonly #backOff: BackOff
  /** `changed`: the wanted tunnel or the listener changed; `now`: retry without waiting. */
  readonly #events: EventQueue<'changed' | 'now'>
  readonly #waiting: (() => void)[] = []
  #wanted: Wanted | null = null
  #listener: ListenerState = { state: 'stopped', port: 0 }
  #attempt: Attempt | null = null
  /** `idle`: there will be no attempt without a change. */
  #pausing: 'timed' | 'idle' | null = null
  #first = true
  #lastFailure: Why = why.never()
  #ended = false
  #over = false

  constructor(parts: TunnelSupervisorParts) {
    this.#parts = parts
    this.#status = parts.status
    this.#entry = parts.entry
    this.#backOff = new BackOff(parts.random, parts.timings.stableAfter)
    this.#events = new EventQueue(parts.clock)
    void this.#loop()
  }

  get wanted(): Wanted | null {
    return this.#wanted
  }

  want(wanted: Wanted, reason: Why): void {
    if (this.#ended) return
    this.#wanted = wanted
    this.#first = true
    this.#backOff.reset()
    this.#restart(reason)
  }

  /** Resolves when everything is closed. */
  async unwant(reason: Why): Promise<void> {
    this.#wanted = null
    this.#cancelAttempt()
    // Otherwise the reason why it is off stays.
    if (this.#status.view.state !== 'off') {
      this.#status.enter('off', reason, { using: null, temporary: false, failures: 0 })
    }
    this.#events.add('changed')
    if (!this.#over) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.unwant(why.ended())
  }

  /** Probes or retries immediately. Resolves when the probe has finished, or the attempt has started. */
  async check(): Promise<void> {
    if (this.#pausing) return this.#tryNow(why.again(this.#label()))
    await this.#attempt?.watch?.check()
  }

  /** Something happened to this computer: an open tunnel may be dead, and a failed one may work. */
  recheck(happened: Why): void {
    this.#backOff.reset()
    if (this.#pausing === 'timed') this.#tryNow(why.after(this.#label(), happened))
    else this.#attempt?.watch?.recheck(happened)
  }

  listenerChanged(listener: ListenerState): void {
    // The previous listener still runs until the result is known.
    if (listener.state === 'starting') return
    const before = this.#listener
    this.#listener = listener
    const label = this.#label()
    if (listener.state !== 'listening') {
      if (before.state === 'listening') this.#restart(why.listenerDown(listener))
    } else if (before.state !== 'listening') {
      this.#restart(why.listenerBack(label))
    } else if (before.port !== listener.port && this.#wanted?.provider.target === 'listener') {
      this.#restart(why.listenerMoved(label, listener.port))
    }
  }

  #label(): string {
    return this.#wanted?.provider.label ?? ''
  }

  #restart(reason: Why): void {
    if (!this.#wanted) return
    this.#cancelAttempt()
    const { setup, temporary } = this.#wanted
    const more = { using: setup, temporary, ...(this.#first ? { failures: 0 } : {}) }
    if (this.#listener.state !== 'listening') {
      this.#status.enter('offline', why.listenerDown(this.#listener), more)
    } else {
      this.#status.enter(this.#first ? 'opening' : 'reconnecting', reason, more)
    }
    this.#events.add('changed')
  }

  #cancelAttempt(): void {
    this.#pausing = null
    this.#attempt?.cancel()
    this.#backOff.offline(this.#parts.clock.now())
  }

  #tryNow(reason: Why): void {
    this.#pausing = null
    this.#status.enter('reconnecting', reason)
    this.#events.add('now')
  }

  async #loop(): Promise<void> {
    for (;;) {
      this.#events.take('changed')
      this.#events.take('now')
      const wanted = this.#wanted
      const listener = this.#listener
      if (!wanted || listener.state !== 'listening') await this.#entry.close()
      for (const resolve of this.#waiting.splice(0)) resolve()
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

  async #try(wanted: Wanted, listenerPort: number): Promise<void> {
    const attempt = new Attempt(wanted, this.#parts, this.#attemptEvents(wanted))
    this.#attempt = attempt
    this.#first = false
    const failure = await this.#run(attempt, listenerPort)
    const failedAt = this.#parts.clock.now()
    const wait = failure && !attempt.isCancelled ? this.#failed(failure, attempt.wasUp) : 0
    await attempt.close()
    this.#attempt = null
    if (this.#pausing) await this.#pause(wait, failedAt)
  }

  async #run(attempt: Attempt, listenerPort: number): Promise<TunnelFailure | null> {
    const { provider, setup } = attempt.wanted
    let port: number
    try {
      port = await this.#entry.port(provider.target, listenerPort)
    } catch (error) {
      const { log } = this.#parts
      const logId = log.error('the local listener for the tunnel could not be opened', error)
      return failureOf(why.internal(provider.label, 'be opened', logId))
    }
    return attempt.run(port, this.#parts.nameFor(setup), this.#entry)
  }

  #attemptEvents(wanted: Wanted): AttemptEvents {
    const { clock, status } = this.#parts
    const backOff = this.#backOff
    return {
      opened: (tunnel) => {
        status.setReason(why.assigned(status.view.cause, tunnel.url), { url: tunnel.url })
        this.#parts.opened(tunnel, wanted)
      },
      stateChanged: (state, reason) => {
        if (state === 'coming') return status.setReason(reason)
        if (state === 'online') backOff.online(clock.now())
        else backOff.offline(clock.now())
        status.enter(state, reason, { failures: 0 })
      },
      probed: (probe) => status.update({ probe }),
      nextProbe: (nextProbeAt) => status.update({ nextProbeAt }),
      connections: (open, max) => status.update({ connections: { open, max } }),
    }
  }

  #failed({ code, message, retry }: TunnelFailure, wasUp: boolean): number {
    const { clock } = this.#parts
    const reason: Why = { cause: code, reason: message }
    const failures = wasUp ? 0 : this.#status.view.failures + 1
    this.#backOff.offline(clock.now())
    this.#pausing = retry ? 'timed' : 'idle'
    if (!retry) {
      this.#status.enter('offline', reason, { failures })
      return 0
    }
    const wait = wasUp ? this.#backOff.lost() : this.#backOff.failed(code === 'server_refused')
    if (wait === 0) {
      this.#pausing = null
      this.#status.enter('reconnecting', why.lost(reason), { failures })
    } else {
      this.#status.enter('offline', reason, { failures, nextTryAt: clock.now() + wait })
    }
    this.#lastFailure = reason
    return wait
  }

  async #pause(wait: number, since: number): Promise<void> {
    // Clamped, because the clock may have been set meanwhile.
    const passed = Math.min(wait, Math.max(0, this.#parts.clock.now() - since))
    await this.#events.wait(['changed', 'now'], this.#pausing === 'idle' ? null : wait - passed)
    if (!this.#pausing) return
    this.#pausing = null
    const { failures } = this.#status.view
    this.#status.enter('reconnecting', why.retry(this.#label(), failures, this.#lastFailure))
  }
}
