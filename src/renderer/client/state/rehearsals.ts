import type { CaseResult, OAuthClientConfig, Rehearsal } from '#contract/rehearsal.ts'
import { scoped, type Scope } from './scope.ts'

interface RehearsalsState {
  readonly runs: ReadonlyMap<number, Rehearsal>
  /** True once all runs are loaded. */
  readonly listed: boolean
  /** Why the runs could not be loaded. */
  readonly failure: string | null
  /** The results of runs by the ID of their case, in the order in which they were received. */
  readonly results: ReadonlyMap<number, ReadonlyMap<string, CaseResult>>
  /** What OAuth clients have to be configured with, by running rehearsal. */
  readonly clients: ReadonlyMap<number, OAuthClientConfig>
  /** Runs whose earlier results are loaded as well. */
  readonly loaded: ReadonlySet<number>
}

/** The rehearsals of the live store, and of each open event log. */
export const useRehearsals = scoped<RehearsalsState>(() => ({
  runs: new Map(),
  listed: false,
  failure: null,
  results: new Map(),
  clients: new Map(),
  loaded: new Set(),
}))

/** Whether a run can still be cancelled. */
export function isRehearsalOpen({ state }: Pick<Rehearsal, 'state'>): boolean {
  return state === 'running'
}

const live = () => useRehearsals.of(null)

export function setRehearsal(run: Rehearsal): void {
  live().setState(({ runs }) => ({ runs: new Map(runs).set(run.id, run) }))
}

export function setRehearsals(all: readonly Rehearsal[], log: Scope): void {
  useRehearsals.of(log).setState({
    runs: new Map(all.map((run) => [run.id, run])),
    listed: true,
    failure: null,
  })
}

export function forgetRehearsal(id: number): void {
  live().setState(({ runs, results }) => {
    const [nextRuns, nextResults] = [new Map(runs), new Map(results)]
    nextRuns.delete(id)
    nextResults.delete(id)
    return { runs: nextRuns, results: nextResults }
  })
}

export function addResult(id: number, result: CaseResult): void {
  live().setState(({ results }) => ({
    results: new Map(results).set(id, new Map(results.get(id)).set(result.id, result)),
  }))
}

/** Stores what the OAuth client of a run has to be configured with; null: nothing. */
export function setClient(id: number, client: OAuthClientConfig | null): void {
  live().setState(({ clients }) => {
    const next = new Map(clients)
    if (client === null) next.delete(id)
    else next.set(id, client)
    return { clients: next }
  })
}

/** Stores all results of a run. Those that were pushed meanwhile stay. */
export function addResults(run: Rehearsal, all: readonly CaseResult[], log: Scope = null): void {
  useRehearsals.of(log).setState(({ runs, results, loaded }) => {
    const merged = new Map(all.map((result) => [result.id, result]))
    for (const [id, result] of results.get(run.id) ?? []) merged.set(id, result)
    const known = runs.get(run.id)
    // A push about the end of the run may have been received before this response.
    const newer = known && !isRehearsalOpen(known) ? known : run
    return {
      runs: new Map(runs).set(run.id, newer),
      results: new Map(results).set(run.id, merged),
      loaded: new Set(loaded).add(run.id),
    }
  })
}

/** Loads everything again when it is next shown, because pushes may have been missed. */
export function reloadRehearsals(): void {
  live().setState({ listed: false, failure: null, loaded: new Set() })
}

/** Newest first. */
export function newestRuns(runs: ReadonlyMap<number, Rehearsal>): Rehearsal[] {
  return [...runs.values()].toSorted((a, b) => b.id - a.id)
}
