import type { TunnelSpan } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'

/** The current span is written at least this often, so that the history is accurate to half a minute after a crash. */
const writeEveryMs = 30_000
const maxUnwritten = 200

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
  readonly #unwritten = new Map<number, TunnelSpan>()
  #lastId: number
  #current: TunnelSpan | null = null
  #previous: TunnelSpan | null = null
  /** Continues after sleep unless another state is reported. */
  #beforeSleep: TunnelSpan | null = null
  #writtenAt = 0

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.#lastId = parts.lastId
  }

  /** A failed retry does not start a new span: otherwise a night without a server would displace everything else. */
  enter(next: SpanState): void {
    const at = this.#parts.clock.now()
    const now = this.#current
    this.#beforeSleep = null
    if (now && isSame(now, next)) {
      const { cause, reason } = isOpening(next.state) ? now : next
      this.#current = { ...this.#until(now, at), cause, reason, url: next.url ?? now.url }
      return
    }
    if (now && this.#previous && isRetry(now, this.#previous) && isSame(this.#previous, next)) {
      this.#current = { ...this.#until(this.#previous, at), reason: next.reason }
      this.#previous = null
      this.extend()
      return
    }
    if (now) this.#write(this.#until(now, at))
    this.#previous = now
    this.#lastId += 1
    this.#current = { ...next, id: this.#lastId, startedAt: at, endedAt: at }
    if (!isRetry(this.#current, now)) this.#write(this.#current)
    if (next.state === 'off') this.#current = this.#previous = null
  }

  /** Call every few seconds. */
  extend(): void {
    const at = this.#parts.clock.now()
    if (this.#beforeSleep) {
      this.#lastId += 1
      this.#current = { ...this.#beforeSleep, id: this.#lastId }
      this.#beforeSleep = null
    }
    if (!this.#current || Math.abs(at - this.#writtenAt) < writeEveryMs) return
    if (isRetry(this.#current, this.#previous)) return
    this.#current = this.#until(this.#current, at)
    this.#write(this.#current)
  }

  /** The computer was asleep between two times in milliseconds since the epoch: ends the current span and continues it. */
  sleep(from: number, endedAt: number): void {
    const now = this.#current
    if (!now) return
    this.#write(this.#until(now, from))
    this.#current = this.#previous = null
    this.#beforeSleep = { ...now, startedAt: endedAt, endedAt }
  }

  end(): void {
    if (this.#current) this.#write(this.#until(this.#current, this.#parts.clock.now()))
    this.#current = null
  }

  /** Spans that end after `since`, oldest first; at most the newest `limit`. */
  async read(since: number, limit: number): Promise<TunnelSpan[]> {
    // Copied first: a write may finish after the store was read, but before its rows are here.
    const unwritten = [...this.#unwritten.values()]
    const stored = await this.#parts.read(since, limit)
    const all = new Map<number, TunnelSpan>()
    for (const span of [...stored, ...unwritten, ...this.#unwritten.values()]) {
      if (span.endedAt >= (all.get(span.id)?.endedAt ?? 0)) all.set(span.id, span)
    }
    if (this.#current)
      all.set(this.#current.id, this.#until(this.#current, this.#parts.clock.now()))
    return [...all.values()]
      .filter(({ endedAt }) => endedAt > since)
      .toSorted((a, b) => a.id - b.id)
      .slice(-limit)
  }

  /** A span never ends before it began, even if the clock was set back. */
  #until(span: TunnelSpan, at: number): TunnelSpan {
    return { ...span, endedAt: Math.max(span.startedAt, at) }
  }

  #write(span: TunnelSpan): void {
    this.#writtenAt = this.#parts.clock.now()
    this.#unwritten.set(span.id, span)
    for (const id of this.#unwritten.keys()) {
      if (this.#unwritten.size <= maxUnwritten) break
      this.#unwritten.delete(id)
    }
    void this.#save(span)
  }

  async #save(span: TunnelSpan): Promise<void> {
    try {
      await this.#parts.write(span)
      if (this.#unwritten.get(span.id) === span) this.#unwritten.delete(span.id)
    } catch {
      // The store reports this itself. The history shows the span from memory.
    }
  }
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

/** A retry after a failure is not written until its result is known. */
function isRetry(span: TunnelSpan, before: TunnelSpan | null): boolean {
  return span.state === 'reconnecting' && before?.state === 'offline'
}
