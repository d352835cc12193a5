import type { LogSource } from '../event-logs/read/source.ts'
import { AppError } from '../platform/errors.ts'
import type { Db } from '../platform/sqlite.ts'
import { createCopyReader, readScenario, readScenarioRedaction } from './store.ts'

/** The copies of a scenario, for an export. Their IDs are those that the deliveries had. Throws `not_found`. */
export function openScenarioSource(db: Db, name: string): LogSource {
  const scenario = readScenario(db, name) ?? throwScenarioNotFound(name)
  const copyAt = createCopyReader(db, scenario.id)
  const { deliveries: count } = scenario
  return {
    scope: { filter: '', from: null, to: null, selected: count, traceOf: null },
    origin: null,
    needsIndex: false,
    redaction: readScenarioRedaction(db, scenario.id),
    unindexed: () => 0,
    *counting() {
      yield count
    },
    counts: { deliveries: count, integrations: 0, endpoints: 0, tokens: 0, runs: 0 },
    *records() {
      // Only deliveries.
    },
    *deliveryIds() {
      yield Array.from({ length: count }, (_, position) => position)
    },
    *deliveries(positions) {
      for (const position of positions) {
        const copy = copyAt(position)
        if (copy) yield { ...copy, omitted: null, attempts: [] }
      }
    },
  }
}

export function throwScenarioNotFound(name: string): never {
  throw new AppError(
    'not_found',
    `Scenario "${name}" does not exist. To list scenarios: tabscope scenario list`,
  )
}
