import type { Run, RunSummary } from '#contract/authorization.ts'
import type { RunPorts } from './ports.ts'
import { AppError } from '../platform/errors.ts'
import type { RunsInput } from './store.ts'
import { firstFields, LiveRun, type NewRun } from './live-run.ts'
import { failureOf } from './record.ts'

/** Runs that go on, by id. What is over is in the store alone. */
export type LiveRuns = Map<number, LiveRun>

/** What beginning and ending runs takes. */
export interface LiveRunPorts extends RunPorts {
  readonly runs: LiveRuns
}

/** What reading records takes. */
type Readable = Pick<LiveRunPorts, 'runs' | 'store'>

/** Begins a run: its row is there before anything else happens. It is live until `ended` was called. */
export async function beginRun(context: LiveRunPorts, wish: NewRun): Promise<LiveRun> {
  const fields = firstFields(wish, context.clock.now())
  const id = await context.store.writer.call('insertRun', {
    ...fields,
    steps: [],
    findings: [],
    heldBack: [],
  })
  const run = new LiveRun(context, id, fields)
  context.runs.set(id, run)
  context.bus.push('authorization.changed', run.view())
  return run
}

/** The run has ended and is stored: from now on its record is read from there. */
export function ended(context: LiveRunPorts, run: LiveRun): void {
  context.runs.delete(run.id)
  run.settle()
}

/** Throws `not_found`. */
export async function readRun(context: Readable, id: number): Promise<Run> {
  const live = context.runs.get(id)
  if (live) return live.view()
  const stored = await context.store.reader.call('run', id)
  if (!stored) {
    throw new AppError('not_found', `There is no run ${id}. Its record may have been cleared.`)
  }
  return asLeft(stored)
}

/** Newest first. */
export async function readRuns(context: Readable, input: RunsInput): Promise<RunSummary[]> {
  const live = new Map([...context.runs].map(([id, run]) => [id, summaryOf(run.view())]))
  const stored = await context.store.reader.call('runs', input)
  return stored.map((run) => live.get(run.id) ?? asLeft(run))
}

/** For the first picture of an interface: those that go on, and the last of each integration. Oldest first. */
export async function activeAndLastRuns(context: Readable): Promise<Run[]> {
  const live = [...context.runs.values()].map((run) => run.view())
  const last = await context.store.reader.call('lastRuns')
  const others = last.filter(({ id }) => live.every((run) => run.id !== id)).map(asLeft)
  return [...live, ...others].toSorted((a, b) => a.id - b.id)
}

/** A run that nobody goes on with was left by a process that died. */
function asLeft<R extends RunSummary>(run: R): R {
  if (run.state === 'succeeded' || run.state === 'failed') return run
  const left = 'steps' in run ? { takesPaste: false, waitsUntil: null } : {}
  return { ...run, ...left, state: 'failed', failure: failureOf('closed', undefined, run.kind) }
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
