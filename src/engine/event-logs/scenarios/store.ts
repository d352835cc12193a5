import { unknownTime } from '#contract/constants.ts'
import { runOf } from '#contract/scenario-texts.ts'
import type { Scenario, ScenarioDelivery, ScenarioRun } from '#contract/scenarios.ts'
import type { Job } from '#contract/sending.ts'
import type { LibraryLog } from '../store.ts'
import { AppError } from '../../platform/errors.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'

/** Newest first. */
export function runsOf(logId: number, jobs: readonly Job[]): ScenarioRun[] {
  const own = jobs.filter(({ scenario }) => scenario?.logId === logId)
  return own.flatMap((job) => runOf(job) ?? []).toSorted((a, b) => b.id - a.id)
}

export function scenariosOf(logs: readonly LibraryLog[], jobs: readonly Job[]): Scenario[] {
  return logs
    .flatMap(({ id, name, importedAt, deliveries, bytes, firstAt, lastAt, scenario }) => {
      if (!scenario) return []
      const times = { firstAt: firstAt ?? unknownTime, lastAt: lastAt ?? unknownTime }
      const [lastRun = null] = runsOf(id, jobs)
      return [{ id, name, savedAt: importedAt, deliveries, bytes, ...times, ...scenario, lastRun }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function readScenarioDeliveries(db: Db): ScenarioDelivery[] {
  return prepare<[], ScenarioDelivery>(
    db,
    `SELECT row_number() OVER (ORDER BY id) - 1 AS position, id, received_us / 1000.0 AS receivedAt, type, title, bytes
     FROM delivery ORDER BY id`,
  ).all()
}

export function throwScenarioNotFound(name: string): never {
  throw new AppError(
    'not_found',
    `Scenario "${name}" does not exist. To list scenarios: tabscope scenario list`,
  )
}
