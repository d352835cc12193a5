import type { Scenario, ScenarioResult, ScenarioRun } from '#contract/scenarios.ts'
import { formatCount } from '#shared/text/format.ts'

/** Minimum milliseconds between two requests during a run. */
export const refreshMs = 500

/** With a space before it; empty if all selected deliveries were saved. */
export function leftOutText({ leftOut }: Scenario): string {
  if (leftOut.length === 0) return ''
  const parts = leftOut.map(({ reason, count }) => `${formatCount(count)} ${reason}`)
  return ` Left out: ${parts.join(', ')}.`
}

export const stateLabels = {
  running: 'Running',
  done: 'Complete',
  interrupted: 'Interrupted',
} as const satisfies Record<ScenarioRun['state'], string>

/** `41 of 42 succeeded, 1 failed` */
export function countsText({ ok, failed, total }: ScenarioRun): string {
  const failures = failed === 0 ? '' : `, ${formatCount(failed)} failed`
  return `${formatCount(ok)} of ${formatCount(total)} succeeded${failures}`
}

export function paceText(speed: number | null): string {
  if (speed === null) return 'At once'
  return speed === 1 ? 'Original pace' : `${speed} times as fast`
}

export function isFailure({ status }: ScenarioResult): boolean {
  return status === null || status < 200 || status >= 300
}
