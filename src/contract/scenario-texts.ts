import { formatCount } from '#shared/text/format.ts'
import type { Scenario, ScenarioRun } from './scenarios.ts'

/** With a space before it; empty if all selected deliveries were saved. */
export function leftOutText({ leftOut }: Pick<Scenario, 'leftOut'>): string {
  if (leftOut.length === 0) return ''
  return ` Left out: ${leftOut.map(({ reason, count }) => `${formatCount(count)} ${reason}`).join(', ')}.`
}

/** `41 of 42 succeeded, 1 failed` */
export function countsText({ ok, failed, total }: ScenarioRun): string {
  const failures = failed === 0 ? '' : `, ${formatCount(failed)} failed`
  return `${formatCount(ok)} of ${formatCount(total)} succeeded${failures}`
}

export function paceText(speed: number | null): string {
  if (speed === null) return 'at once'
  return speed === 1 ? 'at the original pace' : `${speed} times as fast`
}

/** `status` null: there is no complete response. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
