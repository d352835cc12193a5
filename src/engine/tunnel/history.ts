import type { TunnelSpan } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'

/** The current span is written at least this often, so that the history is accurate to half a minute after a crash. */
const writeEveryMs = 30_000

export type SpanState = Pick<TunnelSpan, 'state' | 'cause' | 'reason' | 'url' | 'provider'>

export interface HistoryParts {
  readonly clock: Clock
  readonly lastId: number
  readonly write: (span: TunnelSpan) => Promise<void>
  readonly read: (since: number, limit: number) => Promise<TunnelSpan[]>
}

/** Where there is no span, no tunnel was wanted, or Tabscope was not running. */
export class History {
  readonly #parts: HistoryParts
  #lastId: number
  #current: TunnelSpan | null = null
  #writtenAt = 0
  #writing: Promise<unknown> = Promise.resolve()

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.#lastId = parts.lastId
  }

  enter(next: SpanState): void {
    const current = this.#current
    // A retry is part of the time offline: otherwise a night without a server would displace everything else.
    if (current?.state === 'offline' && next.state === 'reconnecting') return
    if (current && isSame(current, next)) {
      const { cause, reason } = isOpening(next.state) ? current : next
      this.#current = { ...this.#untilNow(current), cause, reason, url: next.url ?? current.url }
      return
    }
    this.end()
    this.#start(next, this.#parts.clock.now())
    if (next.state === 'off') this.#current = null
  }

  /** Call every few seconds. */
  extend(): void {
    if (!this.#current) return
    if (Math.abs(this.#parts.clock.now() - this.#writtenAt) < writeEveryMs) return
    this.#current = this.#untilNow(this.#current)
    this.#write(this.#current)
  }

  /** The computer was asleep between two times in milliseconds since the epoch: ends the current span and continues it. */
  sleep(from: number, endedAt: number): void {
    const current = this.#current
    if (!current) return
    this.#write(until(current, from))
    this.#start(current, endedAt)
  }

  end(): void {
    if (this.#current) this.#write(this.#untilNow(this.#current))
    this.#current = null
  }

  /** Spans that end after `since`, oldest first; at most the newest `limit`. */
  async read(since: number, limit: number): Promise<TunnelSpan[]> {
    await this.#writing
    const spans = await this.#parts.read(since, limit)
    const current = this.#current
    if (!current) return spans
    const before = spans.filter(({ id }) => id !== current.id)
    return [...before, this.#untilNow(current)].slice(-limit)
  }

  #start(state: SpanState, at: number): void {
    this.#lastId += 1
    this.#current = { ...state, id: this.#lastId, startedAt: at, endedAt: at }
    this.#write(this.#current)
  }

  #untilNow(span: TunnelSpan): TunnelSpan {
    return until(span, this.#parts.clock.now())
  }

  #write(span: TunnelSpan): void {
    this.#writtenAt = this.#parts.clock.now()
    // The store reports itself that it cannot be written.
    this.#writing = this.#parts.write(span).catch(() => undefined)
  }
}

/** A span never ends before it began, even if the clock was set back. */
function until(span: TunnelSpan, at: number): TunnelSpan {
  return { ...span, endedAt: Math.max(span.startedAt, at) }
}

/** An open tunnel may change its reason within a span; an offline one may not. */
function isSame(span: TunnelSpan, next: SpanState): boolean {
  if (span.state !== next.state || span.provider !== next.provider) return false
  return next.state !== 'offline' || span.cause === next.cause
}

/** While a tunnel opens, the history keeps the reason for opening, not the progress. */
function isOpening(state: TunnelSpan['state']): boolean {
  return state === 'opening' || state === 'reconnecting'
}
