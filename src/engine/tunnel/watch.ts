import type { TunnelCause, TunnelProbe } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/ports.ts'
import { failureOf } from './opening.ts'
import { EventQueue } from './event-queue.ts'
import type { TunnelTimings } from './timings.ts'
import type { Prober, ProbeResult } from './probe/prober.ts'
import type { OpenTunnel, TunnelFailure } from './provider.ts'
import { why, type Why } from './sentences.ts'

export interface WatchParts {
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly pace: TunnelTimings
  /** When something last came through, in milliseconds since the epoch; 0: nothing has, or it is not known. */
  readonly lastThrough: () => Promise<number>
  /** Whether answers are held back here by our own will. */
  readonly holds: () => Promise<boolean>
  /** `coming`: no probe has come through yet. */
  readonly stands: (state: 'coming' | 'online' | 'degraded', why: Why) => void
  readonly probed: (probe: TunnelProbe) => void
  /** When the next probe begins, in milliseconds since the epoch; null: one is under way. */
  readonly next: (at: number | null) => void
}

/** Looks again and again whether an open tunnel leads here, until it does not any more. */
export class Watch {
  readonly #tunnel: OpenTunnel
  readonly #label: string
  readonly #signal: AbortSignal
  readonly #parts: WatchParts
  /** `now`: it is to be looked at at once; `doubted`: also, but who cries all the time must not make us hammer; `stale`: what the probe under way finds is worth nothing; `over`: it has ended, or was given up. */
  readonly #signs: EventQueue<'now' | 'doubted' | 'stale' | 'probed' | 'over'>
  readonly #waiting: (() => void)[] = []
  readonly #openedAt: number
  #ended: TunnelFailure | null = null
  #over = false
  #up = false
  /** The last probe came through, and nothing was said against it since. */
  #calm = false
  /** How often something was said against it. */
  #doubts = 0
  #doubted: Why | null = null
  /** Probes in a row that failed, and when the first and the last of them began. */
  #misses = 0
  #missingSince = 0
  #missedAt = 0

  constructor(tunnel: OpenTunnel, label: string, signal: AbortSignal, parts: WatchParts) {
    this.#tunnel = tunnel
    this.#label = label
    this.#signal = signal
    this.#parts = parts
    this.#signs = new EventQueue(parts.clock)
    this.#openedAt = parts.clock.now()
  }

  /** A probe has come through at some time. */
  get up(): boolean {
    return this.#up
  }

  /** Resolves when it is to be closed, with why; with null when it was given up from outside. */
  async run(): Promise<TunnelFailure | null> {
    const over = (): void => this.#signs.happen('over')
    this.#signal.addEventListener('abort', over, { once: true })
    if (this.#signal.aborted) over()
    const ended = (failure: TunnelFailure | null): void => {
      this.#ended = failure ?? failureOf(why.ran(this.#label))
      over()
    }
    this.#tunnel.closed.then(ended, () => ended(null))
    const failure = await this.#look()
    this.#over = true
    this.#parts.next(null)
    for (const go of this.#waiting.splice(0)) go()
    return this.#signal.aborted ? null : failure
  }

  /** The provider says that something looks wrong, as a sentence. */
  trouble(said: string): void {
    this.#doubt('ended', said)
  }

  /** Something has happened to this computer; what a probe that is under way will find says nothing any more. */
  shaken(happened: Why): void {
    this.#doubt(happened.cause, happened.reason)
    this.#signs.happen('stale')
    this.#signs.happen('now')
  }

  /** Probes now; resolves when that is over. */
  async check(): Promise<void> {
    if (this.#over) return
    this.#signs.happen('now')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #doubt(cause: TunnelCause, said: string): void {
    if (this.#signal.aborted || this.#ended) return
    this.#doubts += 1
    this.#doubted = why.doubted(cause, said)
    if (!this.#up) return
    // While it is looked into already, the next probe comes in its time.
    if (this.#calm) this.#signs.happen('doubted')
    this.#calm = false
    if (this.#misses === 0) this.#parts.stands('degraded', this.#doubted)
  }

  async #look(): Promise<TunnelFailure | null> {
    const { clock, pace } = this.#parts
    let gap = 0
    let last = clock.now()
    for (;;) {
      this.#parts.next(clock.now() + gap)
      await this.#signs.wait(['over', 'now', 'doubted'], gap)
      if (this.#signs.take('doubted')) {
        const least = pace.moreProbes[0] ?? pace.slowProbes
        const rest = Math.min(least, Math.max(0, last + least - clock.now()))
        if (rest > 0) await this.#signs.wait(['over', 'now'], rest)
      }
      if (this.#isOver()) return this.#ended
      if (!this.#signs.take('now') && this.#calm) {
        gap = await this.#spared()
        if (gap > 0 || !this.#calm) continue
      }
      this.#parts.next(null)
      const begun = { at: clock.now(), doubts: this.#doubts }
      last = begun.at
      const result = await this.#probe()
      if (result === 'over') return this.#ended
      if (result === 'stale') {
        gap = 0
        continue
      }
      const { code: _code, ...probe } = result
      this.#parts.probed(probe)
      const next = await this.#judge(result, begun)
      for (const go of this.#waiting.splice(0)) go()
      if (typeof next !== 'number') return next
      gap = next
    }
  }

  #isOver(): boolean {
    return this.#signal.aborted || this.#ended !== null
  }

  /** Milliseconds for which no probe is needed, since something came through not long ago. */
  async #spared(): Promise<number> {
    const last = await this.#parts.lastThrough()
    const ago = this.#parts.clock.now() - last
    // A clock that was set back must not spare the probes for as long.
    return ago >= 0 ? Math.max(0, this.#parts.pace.probeEvery - ago) : 0
  }

  async #probe(): Promise<ProbeResult | 'over' | 'stale'> {
    const { prober, log, pace, clock } = this.#parts
    const abort = new AbortController()
    const begun = clock.now()
    let result: ProbeResult | null = null
    const probing = async (): Promise<void> => {
      try {
        result = await prober.probe(this.#tunnel.url, pace.probeWithin, abort.signal)
      } catch (error) {
        const logId = log.error('a self-probe failed by itself', error)
        const { reason } = why.internal(this.#label, 'be probed', logId)
        result = { at: begun, ok: false, ms: clock.now() - begun, reason, code: 'probe_failed' }
      }
      if (!abort.signal.aborted) this.#signs.happen('probed')
    }
    this.#signs.take('stale')
    void probing()
    await this.#signs.wait(['probed', 'over', 'stale'], null)
    this.#signs.take('probed')
    if (result !== null && !this.#isOver() && !this.#signs.take('stale')) return result
    abort.abort()
    return this.#isOver() ? 'over' : 'stale'
  }

  /** What a probe means: in how many milliseconds the next one begins, or that the tunnel is to be opened anew. */
  async #judge(
    result: ProbeResult,
    begun: { readonly at: number; readonly doubts: number },
  ): Promise<number | TunnelFailure> {
    const { pace, clock, stands } = this.#parts
    if (!result.ok) return this.#missed(result, begun.at)
    this.#misses = 0
    this.#up = true
    if (this.#doubts !== begun.doubts && this.#doubted) {
      // Said while the probe was on its way: that it came through may have been before that.
      stands('degraded', this.#doubted)
      return pace.moreProbes[0] ?? pace.slowProbes
    }
    this.#calm = true
    stands('online', why.online(this.#tunnel.url))
    return Math.min(pace.probeEvery, Math.max(0, begun.at + pace.probeEvery - clock.now()))
  }

  async #missed({ code, reason }: ProbeResult, begunAt: number): Promise<number | TunnelFailure> {
    const { pace, clock, stands, lastThrough, holds } = this.#parts
    const failed: Why = {
      cause: code === 'other_answer' ? 'other_answer' : 'probe_failed',
      reason: reason ?? 'A self-check did not get through the tunnel.',
    }
    this.#calm = false
    this.#misses += 1
    if (this.#misses === 1) this.#missingSince = begunAt
    const before = this.#missedAt
    this.#missedAt = begunAt
    if (!this.#up) {
      const gap = pace.firstProbes[this.#misses - 1]
      const isLate = clock.now() + (gap ?? 0) - this.#openedAt > pace.firstWithin
      if (gap === undefined || isLate) return failureOf(failed)
      stands('coming', why.notYet(this.#tunnel.url, failed))
      return gap
    }
    stands('degraded', failed)
    const gap = pace.moreProbes[this.#misses - 1]
    if (gap !== undefined) return gap
    // To open it anew would cut off the very answers that a probe has to wait for.
    if (await holds()) {
      stands('degraded', why.held(failed))
      return pace.slowProbes
    }
    // What came through longer ago than the probe before this one says nothing any more.
    const lives = (await lastThrough()) >= before
    if (!lives || clock.now() - this.#missingSince > pace.slowFor) return failureOf(failed)
    stands('degraded', why.slow(failed))
    return pace.slowProbes
  }
}
