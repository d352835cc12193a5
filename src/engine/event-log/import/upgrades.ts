import { eventLogVersion } from '#contract/event-log.ts'
import type { JsonObject } from '../../capture/json-object.ts'

/** One step from a version to the next. Published ones are never edited. */
export interface Upgrade {
  /** The version that it reads; it writes the next. */
  readonly from: number
  /** Begins a log; what it returns is given each line in turn, the head first. Null: the line is no more. */
  readonly begin: () => (line: JsonObject) => JsonObject | null
}

/** In order, one file each. Version 1 is the first. */
export const upgrades: readonly Upgrade[] = []

/** All steps from a version to the one that is written now, as one. */
export function upgradeFrom(
  version: number,
  list: readonly Upgrade[] = upgrades,
  to = eventLogVersion,
): (line: JsonObject) => JsonObject | null {
  const steps = list
    .filter(({ from }) => from >= version && from < to)
    .toSorted((a, b) => a.from - b.from)
    .map((step) => step.begin())
  return (line) => {
    let upgraded: JsonObject | null = line
    for (const step of steps) upgraded = upgraded && step(upgraded)
    return upgraded
  }
}
