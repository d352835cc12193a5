import type { TunnelSpan } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'

/** How far the stretch of now is known to last is written at least so often, in milliseconds: after a crash the strip is right to half a minute. */
const carryEvery = 30_000
/** So many that could not be written are kept in memory. */
const mostUnwritten = 200

export type SpanState = Pick<TunnelSpan, 'state' | 'cause' | 'reason' | 'url' | 'provider'>

export interface HistoryParts {
  readonly clock: Clock
  /** The newest id that was ever given away. */
  readonly lastId: number
  /** Writes a stretch, in place of what was written of it. */
  readonly write: (span: TunnelSpan) => Promise<void>
  readonly read: (since: number, limit: number) => Promise<TunnelSpan[]>
}

/** The ups and downs of the tunnel, stretch by stretch. Where there is none, no tunnel was wanted, or Tabscope did not run. */
export class History {
  readonly #parts: HistoryParts
  /** Those of which the store does not have the last word yet. */
  readonly #unwritten = new Map<number, TunnelSpan>()
  #lastId: number
  #now: TunnelSpan | null = null
  /** The one before, for as long as it may go on. */
  #before: TunnelSpan | null = null
  /** What was when the computer fell asleep, and goes on unless something else is heard. */
  #slept: TunnelSpan | null = null
  #writtenAt = 0

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.#lastId = parts.lastId
  }

  /** From now on it is like this. A try in vain is no stretch of its own: else a night without a server would push all else out. */
  enter(next: SpanState): void {
    const at = this.#parts.clock.now()
    const now = this.#now
    this.#slept = null
    if (now && isSame(now, next)) {
      const { cause, reason } = isOpening(next.state) ? now : next
      this.#now = { ...this.#until(now, at), cause, reason, url: next.url ?? now.url }
      return
    }
    if (now && this.#before && isTry(now, this.#before) && isSame(this.#before, next)) {
      this.#now = { ...this.#until(this.#before, at), reason: next.reason }
      this.#before = null
      this.carry()
      return
    }
    if (now) this.#write(this.#until(now, at))
    this.#before = now
    this.#lastId += 1
    this.#now = { ...next, id: this.#lastId, from: at, to: at }
    if (!isTry(this.#now, now)) this.#write(this.#now)
    // Nobody wants one any more: nothing goes on.
    if (next.state === 'off') this.#now = this.#before = null
  }

  /** To be called every few seconds: it goes on. */
  carry(): void {
    const at = this.#parts.clock.now()
    if (this.#slept) {
      this.#lastId += 1
      this.#now = { ...this.#slept, id: this.#lastId }
      this.#slept = null
    }
    if (!this.#now || Math.abs(at - this.#writtenAt) < carryEvery) return
    if (isTry(this.#now, this.#before)) return
    this.#now = this.#until(this.#now, at)
    this.#write(this.#now)
  }

  /** The computer was asleep: what was, was until `from`, and goes on at `to`. Both in milliseconds since the epoch. */
  slept(from: number, to: number): void {
    const now = this.#now
    if (!now) return
    this.#write(this.#until(now, from))
    this.#now = this.#before = null
    this.#slept = { ...now, from: to, to }
  }

  /** Tabscope is closed: what was, was until now. */
  end(): void {
    if (this.#now) this.#write(this.#until(this.#now, this.#parts.clock.now()))
    this.#now = null
  }

  /** Those that end after `since`, oldest first; the newest `limit` of them. */
  async read(since: number, limit: number): Promise<TunnelSpan[]> {
    const stored = await this.#parts.read(since, limit)
    const all = new Map(stored.map((span) => [span.id, span]))
    for (const span of this.#unwritten.values()) all.set(span.id, span)
    if (this.#now) all.set(this.#now.id, this.#until(this.#now, this.#parts.clock.now()))
    return [...all.values()]
      .filter(({ to }) => to > since)
      .toSorted((a, b) => a.id - b.id)
      .slice(-limit)
  }

  /** A clock that was set back makes no stretch end before it began. */
  #until(span: TunnelSpan, at: number): TunnelSpan {
    return { ...span, to: Math.max(span.from, at) }
  }

  #write(span: TunnelSpan): void {
    this.#writtenAt = this.#parts.clock.now()
    this.#unwritten.set(span.id, span)
    for (const id of this.#unwritten.keys()) {
      if (this.#unwritten.size <= mostUnwritten) break
      this.#unwritten.delete(id)
    }
    void this.#store(span)
  }

  async #store(span: TunnelSpan): Promise<void> {
    try {
      await this.#parts.write(span)
      if (this.#unwritten.get(span.id) === span) this.#unwritten.delete(span.id)
    } catch {
      // The store says itself that it cannot be written. The tunnel goes on, and the strip knows this from memory.
    }
  }
}

/** Whether it is the same stretch. What is open may be so for one reason and then another; there is none for one reason at a time. */
function isSame(span: TunnelSpan, next: SpanState): boolean {
  if (span.state !== next.state || span.provider !== next.provider) return false
  return next.state !== 'offline' || span.cause === next.cause
}

/** How far an opening has come is not kept: why it was opened is. */
function isOpening(state: TunnelSpan['state']): boolean {
  return state === 'opening' || state === 'reconnecting'
}

/** A try after one that failed: not written before it is known what became of it. */
function isTry(span: TunnelSpan, before: TunnelSpan | null): boolean {
  return span.state === 'reconnecting' && before?.state === 'offline'
}
