import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { compose, parseTargetUrl } from './request.ts'
import type { Target } from './request.ts'
import { run } from './run.ts'
import { createSender } from './sender.ts'
import type { Outcome, SenderOptions } from './sender.ts'
import type { Step } from './steps.ts'

export interface TriggerOptions extends SenderOptions {
  /** Deliveries a second; null: as fast as they are answered. */
  readonly rate: number | null
  readonly onOutcome?: (outcome: Outcome, step: Step) => void
  /** Ends it early: nothing more is sent, what is under way is waited for. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/**
 * Sends steps (`sampleSteps`, `evening`) to one target, for the command line: resolves when the last is answered.
 * Throws `SandboxError` (`bad_target`, `bad_rate`, and what the steps throw).
 */
export async function trigger(
  target: Target,
  steps: Iterable<Step>,
  options: TriggerOptions,
): Promise<{ sent: number; failed: number; lastError: string | null }> {
  const { rate, onOutcome, signal, clock = systemClock } = options
  parseTargetUrl(target.url)
  await using sender = createSender({ ...options, clock })
  const result: { sent: number; failed: number; lastError: string | null } = {
    sent: 0,
    failed: 0,
    lastError: null,
  }
  await run({
    steps,
    rate,
    clock,
    send: (step) => sender.deliver(compose(target, step.payload(clock.date()))),
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
