import type { SizeProbe } from '#contract/tunnel.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../ports.ts'
import type { Prober } from './probe/prober.ts'

export interface SizesParts {
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly changed: () => void
}

/** Tries what sizes of body the tunnel lets through, one run at a time. */
export class Sizes {
  readonly #parts: SizesParts
  #probe: SizeProbe | null = null
  #run: AbortController | null = null
  #lastThrough = 0

  constructor(parts: SizesParts) {
    this.#parts = parts
  }

  /** The last run. */
  get view(): SizeProbe | null {
    return this.#probe
  }

  /** When a body last came through, in milliseconds since the epoch; 0: none has. */
  get lastThrough(): number {
    return this.#lastThrough
  }

  /** Begins; one that goes on is left to go on. `gone`: the tunnel is. */
  start(url: string, gone: AbortSignal): void {
    if (this.#run) return
    const run = new AbortController()
    this.#run = run
    const at = this.#parts.clock.now()
    this.#set({ at, running: true, url, steps: [], largest: null, stopsAt: null })
    const stop = (): void => {
      if (this.#run === run) this.stop()
    }
    gone.addEventListener('abort', stop, { once: true })
    const told = (probe: SizeProbe): void => {
      if (this.#run !== run) return
      if (probe.steps.at(-1)?.outcome === 'passed') this.#lastThrough = this.#parts.clock.now()
      this.#set({ ...probe, running: true })
    }
    const end = async (): Promise<void> => {
      try {
        const probe = await this.#parts.prober.sizes(url, told, run.signal)
        if (this.#run === run) this.#over(probe)
      } catch (error) {
        this.#parts.log.error('the size probe failed by itself', error)
        if (this.#run === run) this.stop()
      } finally {
        gone.removeEventListener('abort', stop)
      }
    }
    void end()
  }

  /** What it has found so far stays. */
  stop(): void {
    const run = this.#run
    if (!run || !this.#probe) return
    this.#over(this.#probe)
    run.abort()
  }

  #over(probe: SizeProbe): void {
    this.#run = null
    this.#set({ ...probe, running: false })
  }

  #set(probe: SizeProbe): void {
    this.#probe = probe
    this.#parts.changed()
  }
}
