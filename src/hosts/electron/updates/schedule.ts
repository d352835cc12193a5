import type { Settings } from '#contract/models.ts'
import type { Job } from '#contract/sending.ts'
import type { LogsView } from '#contract/logs.ts'
import type { Run } from '#contract/authorization.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { EngineView } from '../engine/view.ts'

/** For so long (ms) after the last delivery a capture counts as one that goes on. */
export const QUIET_MS = 5 * 60_000

/** What is known of what goes on. Times in milliseconds since the epoch. */
interface Activity {
  readonly now: number
  /** Null: nothing arrived since Tabscope was started. */
  readonly lastArrival: number | null
  readonly tunnelOpen: boolean
  readonly sandboxRuns: boolean
  readonly jobs: number
  readonly authorizations: number
  /** Exports and imports. */
  readonly transfers: number
}

/** Why an update must wait, as a sentence; null: nothing would be cut off. */
export function waitsFor(facts: Activity): string | null {
  if (facts.jobs > 0) return 'A job is sending deliveries. The update waits until it has ended.'
  if (facts.transfers > 0)
    return 'An event log is being exported or imported. The update waits until it has ended.'
  if (facts.authorizations > 0)
    return 'An authorization is running. The update waits until it has ended.'
  if (facts.sandboxRuns) return 'The sandbox is sending. The update waits until you stop it.'
  if (facts.tunnelOpen)
    return 'The tunnel is open, so deliveries may arrive. The update waits until it is closed.'
  if (facts.lastArrival !== null && facts.now - facts.lastArrival < QUIET_MS) {
    return 'A delivery arrived in the last five minutes. The update waits for a quiet moment.'
  }
  return null
}

export interface ActivityWatch {
  /** Why an update must wait just now; null: for nothing. */
  reason(): string | null
  onChange(listener: () => void): void
}

/** Follows what goes on in the engine, by what it tells every client. `now`: milliseconds since the epoch. */
export function watchActivity(view: EngineView, now: () => number): ActivityWatch {
  const jobs = new Set<number>()
  const runs = new Set<number>()
  const listeners: (() => void)[] = []
  let known: Omit<Activity, 'now' | 'jobs' | 'authorizations'> = {
    lastArrival: null,
    tunnelOpen: false,
    sandboxRuns: false,
    transfers: 0,
  }
  let told: string | null = null
  let quiet: NodeJS.Timeout | undefined

  const reason = (): string | null =>
    waitsFor({ ...known, now: now(), jobs: jobs.size, authorizations: runs.size })
  function look(): void {
    const found = reason()
    if (found === told) return
    told = found
    for (const listener of listeners) listener()
  }
  function take(change: Partial<typeof known>): void {
    known = { ...known, ...change }
    look()
  }
  function takeJob(job: Job, removed: boolean): void {
    if (!removed && job.state === 'running') jobs.add(job.id)
    else jobs.delete(job.id)
  }
  function takeRun(run: Run): void {
    if (run.state === 'running' || run.state === 'waiting') runs.add(run.id)
    else runs.delete(run.id)
  }

  view.onSnapshot((snapshot) => {
    jobs.clear()
    runs.clear()
    for (const job of snapshot.jobs) takeJob(job, false)
    for (const run of snapshot.runs) takeRun(run)
    take({
      tunnelOpen: isOpen(snapshot.tunnel),
      sandboxRuns: snapshot.sandbox.running,
      transfers: transfersIn(snapshot.logs),
    })
  })
  view.on('deliveries.arrived', () => {
    clearTimeout(quiet)
    quiet = setTimeout(look, QUIET_MS + 1)
    quiet.unref()
    take({ lastArrival: now() })
  })
  view.on('tunnel.changed', (tunnel) => take({ tunnelOpen: isOpen(tunnel) }))
  view.on('sandbox.changed', ({ running }) => take({ sandboxRuns: running }))
  view.on('logs.changed', (logs) => take({ transfers: transfersIn(logs) }))
  view.on('jobs.changed', ({ job, removed }) => {
    takeJob(job, removed)
    look()
  })
  view.on('authorization.changed', (run) => {
    takeRun(run)
    look()
  })
  return { reason, onChange: (listener) => void listeners.push(listener) }
}

function isOpen(tunnel: TunnelView): boolean {
  return tunnel.state !== 'off'
}

function transfersIn({ exports, imports }: LogsView): number {
  return [...exports, ...imports].filter(({ state }) => state === 'running').length
}

/** How often (ms) a Tabscope that runs on asks for a newer one, and how long after its start it does so first. */
const EVERY_MS = 6 * 60 * 60_000
const FIRST_MS = 30_000

/** Has it asked by the clock whether there is a newer Tabscope, unless that is not wanted when the time has come. `after` calls back once. */
export function scheduleChecks(
  choice: () => Settings['updates'],
  ask: () => void,
  after: (ms: number, callback: () => void) => void,
): void {
  const now = (): void => {
    if (choice() !== 'off') ask()
    after(EVERY_MS, now)
  }
  after(FIRST_MS, now)
}
