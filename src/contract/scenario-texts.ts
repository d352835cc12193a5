import { formatCount } from '#shared/text/format.ts'
import type { Scenario, ScenarioRun } from './scenarios.ts'
import type { Job } from './sending.ts'

/** Null: the job sends no scenario. */
export function runOf(job: Job): ScenarioRun | null {
  const { id, createdAt, endedAt, state, url, pace, scenario, total, ok, failed, reason } = job
  if (scenario === null) return null
  const { name, keepIds, seed, comparedTo, changed, unsigned } = scenario
  return {
    id,
    scenario: name,
    startedAt: createdAt,
    endedAt,
    state: state === 'running' || state === 'done' ? state : 'interrupted',
    url: url ?? '',
    speed: pace.how === 'spacing' ? pace.speed : null,
    keepIds,
    seed,
    total,
    ok,
    failed,
    unsigned,
    comparedTo,
    changed,
    problem: reason,
  }
}

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
