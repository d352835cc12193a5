import type { TunnelCause, TunnelProbe } from '#contract/tunnel.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/ports.ts'
import { EventQueue } from './event-queue.ts'
import type { TunnelTimings } from './timings.ts'
import type { Prober, ProbeResult } from './probe/prober.ts'
import { failureOf, type OpenTunnel, type TunnelFailure } from './provider.ts'
import { why, type Why } from './messages.ts'

export interface WatchEvents {
  /** `coming`: no probe has succeeded yet. */
  readonly stateChanged: (state: 'coming' | 'online' | 'degraded', because: Why) => void
  readonly probed: (probe: TunnelProbe) => void
  /** In milliseconds since the epoch; null: a probe is running. */
  readonly nextProbe: (at: number | null) => void
}

export interface WatchParts extends WatchEvents {
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly timings: TunnelTimings
  /** When a request was last received through the tunnel, in milliseconds since the epoch; 0: never or unknown. */
  readonly lastReceived: () => Promise<number>
  /** Responses are delayed deliberately, by a rule or for a target. */
  readonly isHoldingResponses: () => Promise<boolean>
}

/** Probes an open tunnel repeatedly, until it no longer leads here. */
export class Watch {
  readonly #tunnel: OpenTunnel
  readonly #label: string
  readonly #signal: AbortSignal
  readonly #parts: WatchParts
  /**
   * `now`: probe immediately; `doubted`: the same, but rate-limited, since a provider may report trouble continuously; `stale`: the result of the running
   * probe does not count; `over`: the tunnel closed or was cancelled.
   */
  readonly #events: EventQueue<'now' | 'doubted' | 'stale' | 'probed' | 'over'>
  readonly #waiting: (() => void)[] = []
  readonly #openedAt: number
  #ended: TunnelFailure | null = null
  #over = false
  #up = false
  #calm = false
  #doubts = 0
  #doubted: Why | null = null
  #failures = 0
  #failingSince = 0
  #failedAt = 0

  constructor(tunnel: OpenTunnel, label: string, signal: AbortSignal, parts: WatchParts) {
    this.#tunnel = tunnel
    this.#label = label
    this.#signal = signal
    this.#parts = parts
    this.#events = new EventQueue(parts.clock)
    this.#openedAt = parts.clock.now()
  }

  get up(): boolean {
    return this.#up
  }

  /** Resolves to the reason to close the tunnel, or null if it was cancelled. */
  async run(): Promise<TunnelFailure | null> {
    const over = (): void => this.#events.add('over')
    this.#signal.addEventListener('abort', over, { once: true })
    if (this.#signal.aborted) over()
    const ended = (failure: TunnelFailure | null): void => {
      this.#ended = failure ?? failureOf(why.ran(this.#label))
      over()
    }
    this.#tunnel.closed.then(ended, () => ended(null))
    const failure = await this.#loop()
    this.#over = true
    this.#parts.nextProbe(null)
    for (const resolve of this.#waiting.splice(0)) resolve()
    return this.#signal.aborted ? null : failure
  }

  trouble(problem: string): void {
    this.#doubt('ended', problem)
  }

  /** Something happened to this computer, so the result of a running probe no longer counts. */
  recheck(happened: Why): void {
    this.#doubt(happened.cause, happened.reason)
    this.#events.add('stale')
    this.#events.add('now')
  }

  /** Probes immediately. Resolves when the probe has finished. */
  async check(): Promise<void> {
    if (this.#over) return
    this.#events.add('now')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #doubt(cause: TunnelCause, problem: string): void {
    if (this.#signal.aborted || this.#ended) return
    this.#doubts += 1
    this.#doubted = why.doubted(cause, problem)
    if (!this.#up) return
    // Otherwise faster probes are running already.
    if (this.#calm) this.#events.add('doubted')
    this.#calm = false
    if (this.#failures === 0) this.#parts.stateChanged('degraded', this.#doubted)
  }

  async #loop(): Promise<TunnelFailure | null> {
    const { clock, timings } = this.#parts
    let gap = 0
    let last = clock.now()
    for (;;) {
      this.#parts.nextProbe(clock.now() + gap)
      await this.#events.wait(['over', 'now', 'doubted'], gap)
      if (this.#events.take('doubted')) {
        const least = timings.moreProbes[0] ?? timings.slowProbes
        const rest = Math.min(least, Math.max(0, last + least - clock.now()))
        if (rest > 0) await this.#events.wait(['over', 'now'], rest)
      }
      if (this.#isOver()) return this.#ended
      if (!this.#events.take('now') && this.#calm) {
        gap = await this.#spareTime()
        if (gap > 0 || !this.#calm) continue
      }
      this.#parts.nextProbe(null)
      const started = { at: clock.now(), doubts: this.#doubts }
      last = started.at
      const result = await this.#probe()
      if (result === 'over') return this.#ended
      if (result === 'stale') {
        gap = 0
        continue
      }
      const { code: _code, ...probe } = result
      this.#parts.probed(probe)
      const next = await this.#judge(result, started)
      for (const resolve of this.#waiting.splice(0)) resolve()
      if (typeof next !== 'number') return next
      gap = next
    }
  }

  #isOver(): boolean {
    return this.#signal.aborted || this.#ended !== null
  }

  async #spareTime(): Promise<number> {
    const last = await this.#parts.lastReceived()
    const ago = this.#parts.clock.now() - last
    // If the clock was set back, do not skip probes for that long.
    return ago >= 0 ? Math.max(0, this.#parts.timings.probeEvery - ago) : 0
  }

  async #probe(): Promise<ProbeResult | 'over' | 'stale'> {
    const { prober, log, timings, clock } = this.#parts
    const abort = new AbortController()
    const started = clock.now()
    let result: ProbeResult | null = null
    const probing = async (): Promise<void> => {
      try {
        result = await prober.probe(this.#tunnel.url, timings.probeWithin, abort.signal)
      } catch (error) {
        const logId = log.error('a self-probe failed with an internal error', error)
        const { reason } = why.internal(this.#label, 'be probed', logId)
        result = {
          at: started,
          ok: false,
          durationMs: clock.now() - started,
          reason,
          code: 'probe_failed',
        }
      }
      if (!abort.signal.aborted) this.#events.add('probed')
    }
    this.#events.take('stale')
    void probing()
    await this.#events.wait(['probed', 'over', 'stale'], null)
    this.#events.take('probed')
    if (result !== null && !this.#isOver() && !this.#events.take('stale')) return result
    abort.abort()
    return this.#isOver() ? 'over' : 'stale'
  }

  async #judge(
    result: ProbeResult,
    started: { at: number; doubts: number },
  ): Promise<number | TunnelFailure> {
    const { timings, clock, stateChanged } = this.#parts
    if (!result.ok) return this.#failed(result, started.at)
    this.#failures = 0
    this.#up = true
    if (this.#doubts !== started.doubts && this.#doubted) {
      // The trouble was reported during the probe, which may have passed before it.
      stateChanged('degraded', this.#doubted)
      return timings.moreProbes[0] ?? timings.slowProbes
    }
    this.#calm = true
    stateChanged('online', why.online(this.#tunnel.url))
    return Math.min(timings.probeEvery, Math.max(0, started.at + timings.probeEvery - clock.now()))
  }

  async #failed({ code, reason }: ProbeResult, startedAt: number): Promise<number | TunnelFailure> {
    const { timings, clock, stateChanged, lastReceived, isHoldingResponses } = this.#parts
    const failed: Why = {
      cause: code === 'other_answer' ? 'other_answer' : 'probe_failed',
      reason: reason ?? 'A self-check did not get through the tunnel.',
    }
    this.#calm = false
    this.#failures += 1
    if (this.#failures === 1) this.#failingSince = startedAt
    const before = this.#failedAt
    this.#failedAt = startedAt
    if (!this.#up) {
      const gap = timings.firstProbes[this.#failures - 1]
      const isLate = clock.now() + (gap ?? 0) - this.#openedAt > timings.firstWithin
      if (gap === undefined || isLate) return failureOf(failed)
      stateChanged('coming', why.notYet(this.#tunnel.url, failed))
      return gap
    }
    stateChanged('degraded', failed)
    const gap = timings.moreProbes[this.#failures - 1]
    if (gap !== undefined) return gap
    // Reopening would cut off the responses that the probe is waiting for.
    if (await isHoldingResponses()) {
      stateChanged('degraded', why.held(failed))
      return timings.slowProbes
    }
    // A request that was received before the previous probe proves nothing.
    const isAlive = (await lastReceived()) >= before
    if (!isAlive || clock.now() - this.#failingSince > timings.slowFor) return failureOf(failed)
    stateChanged('degraded', why.slow(failed))
    return timings.slowProbes
  }
}
