import type { Run, RunSummary } from '#contract/authorization.ts'
import { type RunPorts, firstFields, LiveRun, type NewRun } from './live-run.ts'
import type { RunsInput } from './store.ts'
import { endInterrupted, throwRunNotFound } from './record.ts'

/** By ID. Ended runs are only in the store. */
export type LiveRuns = Map<number, LiveRun>

export interface LiveRunPorts extends RunPorts {
  readonly runs: LiveRuns
}

type Readable = Pick<LiveRunPorts, 'runs' | 'store'>

/** Stores the row before anything else happens. The run is live until `finishRun`. */
export async function beginRun(context: LiveRunPorts, options: NewRun): Promise<LiveRun> {
  const fields = firstFields(options, context.clock.now())
  const id = await context.store.writer.call('insertRun', {
    ...fields,
    steps: [],
    findings: [],
    maskedValues: [],
  })
  const run = new LiveRun(context, id, fields)
  context.runs.set(id, run)
  context.bus.push('authorization.changed', run.view())
  return run
}

export function finishRun(context: LiveRunPorts, run: LiveRun): void {
  context.runs.delete(run.id)
  run.settle()
}

/** Throws `not_found`. */
export async function readRun(context: Readable, id: number): Promise<Run> {
  const live = context.runs.get(id)
  if (live) return live.view()
  const stored = await context.store.reader.call('run', id)
  return stored ? endInterrupted(stored) : throwRunNotFound(id)
}

/** Newest first. */
export async function readRuns(context: Readable, input: RunsInput): Promise<RunSummary[]> {
  const live = new Map([...context.runs].map(([id, run]) => [id, summaryOf(run.view())]))
  const stored = await context.store.reader.call('runs', input)
  return stored.map((run) => live.get(run.id) ?? endInterrupted(run))
}

/** The initial state of an interface: runs in progress and the last run of each integration, oldest first. */
export async function activeAndLastRuns(context: Readable): Promise<Run[]> {
  const live = [...context.runs.values()].map((run) => run.view())
  const last = await context.store.reader.call('lastRuns')
  const others = last.filter(({ id }) => live.every((run) => run.id !== id)).map(endInterrupted)
  return [...live, ...others].toSorted((a, b) => a.id - b.id)
}

function summaryOf(run: Run): RunSummary {
  const { id, integrationId, kind, agent, state, startedAt, endedAt } = run
  const { redirectUrl, failure, tokenId } = run
  return {
    id,
    integrationId,
    kind,
    agent,
    state,
    startedAt,
    endedAt,
    redirectUrl,
    failure,
    tokenId,
  }
}
