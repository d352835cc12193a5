import { healthWindow } from '#contract/constants.ts'
import type { ForwardHealth } from '#contract/endpoint-rules.ts'

export interface TryResult {
  readonly status: number | null
  /** Why there is no usable response, as a sentence. */
  readonly error: string | null
}

export class TargetHealth {
  #light: ForwardHealth['state']
  #since: number
  #lastStatus: number | null = null
  #lastError: string | null = null
  /** Whether the target responded with 2xx to each of the last deliveries, oldest first. */
  #recent: boolean[] = []
  ok = 0
  failed = 0
  skipped = 0

  constructor(on: boolean, now: number) {
    this.#light = on ? 'idle' : 'off'
    this.#since = now
  }

  reset(on: boolean, now: number): void {
    this.#turn(on ? 'idle' : 'off', now)
    this.#lastStatus = null
    this.#lastError = null
    this.#recent = []
  }

  recordAttempt({ status, error }: TryResult, now: number): void {
    this.#lastStatus = status
    this.#lastError = error
    if (this.#light === 'off') return
    if (status === null) this.#turn('down', now)
    else this.#turn(error === null && isOk(status) ? 'good' : 'failing', now)
  }

  settled({ status, error }: TryResult): void {
    const ok = error === null && isOk(status)
    if (ok) this.ok += 1
    else this.failed += 1
    this.#recent.push(ok)
    if (this.#recent.length > healthWindow) this.#recent.shift()
  }

  view(now: Pick<ForwardHealth, 'forwardId' | 'waiting' | 'inFlight' | 'retryAt'>): ForwardHealth {
    const recentOk = this.#recent.filter(Boolean).length
    return {
      ...now,
      state: this.#light,
      since: this.#since,
      ok: this.ok,
      failed: this.failed,
      skipped: this.skipped,
      recent: { ok: recentOk, failed: this.#recent.length - recentOk },
      lastStatus: this.#lastStatus,
      lastError: this.#lastError,
    }
  }

  #turn(light: ForwardHealth['state'], now: number): void {
    if (this.#light === light) return
    this.#light = light
    this.#since = now
  }
}

function isOk(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
