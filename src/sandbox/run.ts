import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import type { Outcome } from './sender.ts'
import type { Step } from './steps.ts'

/** Greatest rate, in deliveries a second. */
export const fastest = 10_000
/** Steps taken from the scenario and not yet answered: what a slow target can make wait, and no more. */
const underWay = 256
/** Milliseconds of delay that are made up for; what a target was slower than that is let go. */
const madeUp = 1000

export interface RunOptions {
  readonly steps: Iterable<Step>
  /** Deliveries a second; `null`: each as soon as it may go. */
  readonly rate: number | null
  readonly clock: Clock
  /** Composes and sends a step; the time of its payload is the time of this call. */
  readonly send: (step: Step) => Promise<Outcome>
  readonly onOutcome: (outcome: Outcome, step: Step) => void
  /** Ends the run: nothing more is sent, what is under way is waited for. */
  readonly signal?: AbortSignal
}

/** Throws `SandboxError` (`bad_rate`) unless 0 < rate <= `fastest`. */
export function checkRate(rate: number): void {
  if (!(rate > 0 && rate <= fastest))
    throw new SandboxError(
      'bad_rate',
      `Use a rate above 0 and up to ${fastest} deliveries a second.`,
    )
}

/**
 * Sends the steps at the rate, those of one lane strictly one after the other. The schedule counts from the start and
 * not from the last delivery, so it does not drift. Resolves when the last is answered; rejects when `send` rejects,
 * and throws `SandboxError` (`bad_rate`).
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
  let issued = 0

  const over = () => signal?.aborted === true || failures.length > 0

  const through = async (step: Step, before: Promise<void> | undefined) => {
    await before
    try {
      if (!over()) onOutcome(await send(step), step)
    } catch (error) {
      failures.push(error)
    }
    pending.delete(step)
    wake?.()
  }

  const issue = async (step: Step) => {
    pending.add(step)
    issued += 1
    const end = through(step, lanes.get(step.lane))
    lanes.set(step.lane, end)
    await end
    if (lanes.get(step.lane) === end) lanes.delete(step.lane)
  }

  /** Resolves at the next answer or stop, or after `ms` milliseconds. */
  const rest = (ms: number | null) =>
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
    while (!over()) {
      const late = rate === null ? 0 : clock.now() - origin - (issued * 1000) / rate
      if (late > madeUp) origin += late - madeUp
      if (pending.size >= underWay) await rest(null)
      // Timers count whole milliseconds: a rest is never shorter, and the next turn makes up for it.
      else if (late < 0) await rest(Math.max(1, -late))
      else {
        const next = steps.next()
        if (next.done === true) break
        void issue(next.value)
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    steps.return?.()
    while (pending.size > 0) await rest(null)
  }
  for (const failure of failures) throw failure
}
