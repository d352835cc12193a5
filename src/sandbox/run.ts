import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import type { Outcome } from './sender.ts'
import type { Step } from './steps.ts'

export const maxRate = 10_000
/** Steps without a response. Limits what a slow target can accumulate. */
const maxPending = 256
/** A longer delay, in milliseconds, is not caught up by sending faster. */
const maxCatchUp = 1000

export interface RunOptions {
  readonly steps: Iterable<Step>
  /** Deliveries per second; null: each as soon as possible. */
  readonly rate: number | null
  readonly clock: Clock
  /** Builds and sends a step, with the time of this call in its payload. */
  readonly send: (step: Step) => Promise<Outcome>
  readonly onOutcome: (outcome: Outcome, step: Step) => void
  /** Stops the run: no further step is sent, and pending steps are awaited. */
  readonly signal?: AbortSignal
}

/** Throws `SandboxError` (`bad_rate`) unless 0 < rate <= `maxRate`. */
export function checkRate(rate: number): void {
  if (!(rate > 0 && rate <= maxRate))
    throw new SandboxError(
      'bad_rate',
      `Use a rate above 0 and up to ${maxRate} deliveries per second.`,
    )
}

/**
 * Sends the steps at the given rate, those of one lane strictly one after the other. The schedule counts from the start and not from the last delivery,
 * so it does not drift. Resolves when all responses are received. Rejects when `send` rejects, and with `SandboxError` (`bad_rate`).
 */
export async function run(options: RunOptions): Promise<void> {
  const { rate, clock, send, onOutcome, signal } = options
  if (rate !== null) checkRate(rate)
  const steps = options.steps[Symbol.iterator]()
  const lanes = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  const pending = new Set<Step>()
  let wake: (() => void) | null = null
  let origin = clock.now()
  let started = 0

  const stopped = () => signal?.aborted === true || failures.length > 0

  const sendInOrder = async (step: Step, previous: Promise<void> | undefined) => {
    await previous
    try {
      if (!stopped()) onOutcome(await send(step), step)
    } catch (error) {
      failures.push(error)
    }
    pending.delete(step)
    wake?.()
  }

  const start = async (step: Step) => {
    pending.add(step)
    started += 1
    const finished = sendInOrder(step, lanes.get(step.lane))
    lanes.set(step.lane, finished)
    await finished
    if (lanes.get(step.lane) === finished) lanes.delete(step.lane)
  }

  /** Resolves at the next response or stop, or after `ms`. */
  const wait = (ms: number | null) =>
    new Promise<void>((resolve) => {
      const cancel = ms === null ? () => {} : clock.after(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })

  const stop = () => wake?.()
  signal?.addEventListener('abort', stop)
  try {
    while (!stopped()) {
      const late = rate === null ? 0 : clock.now() - origin - (started * 1000) / rate
      if (late > maxCatchUp) origin += late - maxCatchUp
      if (pending.size >= maxPending) await wait(null)
      // Timers have a resolution of one millisecond. The next iteration catches up with the rounding.
      else if (late < 0) await wait(Math.max(1, -late))
      else {
        const next = steps.next()
        if (next.done === true) break
        void start(next.value)
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    steps.return?.()
    while (pending.size > 0) await wait(null)
  }
  for (const failure of failures) throw failure
}
