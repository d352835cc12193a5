import { systemClock, type Clock } from './clock.ts'
import { compose, parseTargetUrl, type Target } from './request.ts'
import { run } from './run.ts'
import { type Outcome, Sender, type SenderOptions } from './sender.ts'
import type { Step } from './steps.ts'

export interface TriggerOptions extends SenderOptions {
  /** Deliveries per second; null: as fast as responses are received. */
  readonly rate: number | null
  readonly onOutcome?: (outcome: Outcome, step: Step) => void
  /** Stops early: no further step is sent, and pending steps are awaited. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/**
 * Sends steps (`sampleSteps`, `traffic`) to one target, for the command line. Resolves when all responses are received. Throws `SandboxError`
 * (`bad_target`, `bad_rate`, and the errors of the steps).
 */
export async function trigger(
  target: Target,
  steps: Iterable<Step>,
  options: TriggerOptions,
): Promise<{ sent: number; failed: number; lastError: string | null }> {
  const { rate, onOutcome, signal, clock = systemClock } = options
  parseTargetUrl(target.url)
  await using sender = new Sender({ ...options, clock })
  const result: { sent: number; failed: number; lastError: string | null } = {
    sent: 0,
    failed: 0,
    lastError: null,
  }
  await run({
    steps,
    rate,
    clock,
    send: (step) => sender.deliver(compose(target, step.payload(clock.date()), step.overrides)),
    onOutcome(outcome, step) {
      if (outcome.ok) result.sent += 1
      else result.failed += 1
      result.lastError = outcome.error ?? result.lastError
      onOutcome?.(outcome, step)
    },
    ...(signal ? { signal } : {}),
  })
  return result
}
