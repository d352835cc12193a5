import type { Settings } from '#contract/models.ts'
import type { Job } from '#contract/sending.ts'
import type { LogsView } from '#contract/logs.ts'
import type { Run } from '#contract/authorization.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { EngineView } from '../engine/view.ts'

/** A capture counts as active for this long after its last delivery. */
export const QUIET_MS = 5 * 60_000

/** Times in milliseconds since the epoch. */
interface Activity {
  readonly now: number
  /** Null: none since Tabscope started. */
  readonly lastArrival: number | null
  readonly tunnelOpen: boolean
  readonly sandboxRuns: boolean
  readonly jobs: number
  readonly authorizations: number
  readonly transfers: number
}

/** As a sentence; null: an update would interrupt nothing. */
export function installBlocker(activity: Activity): string | null {
  if (activity.jobs > 0) return 'A job is sending deliveries. The update waits until it ends.'
  if (activity.transfers > 0)
    return 'An event log is being exported or imported. The update waits until it ends.'
  if (activity.authorizations > 0)
    return 'An authorization is running. The update waits until it ends.'
  if (activity.sandboxRuns) return 'The sandbox is sending. The update waits until you stop it.'
  if (activity.tunnelOpen)
    return 'The tunnel is open, so deliveries may arrive. The update waits until you close it.'
  if (activity.lastArrival !== null && activity.now - activity.lastArrival < QUIET_MS) {
    return 'A delivery arrived in the last five minutes. The update waits for five minutes without deliveries.'
  }
  return null
}

export interface ActivityWatch {
  /** Null: an update need not wait. */
  reason(): string | null
  onChange(listener: () => void): void
}

/** `now`: milliseconds since the epoch. */
export function watchActivity(view: EngineView, now: () => number): ActivityWatch {
  const jobs = new Set<number>()
  const runs = new Set<number>()
  const listeners: (() => void)[] = []
  let activity: Omit<Activity, 'now' | 'jobs' | 'authorizations'> = {
    lastArrival: null,
    tunnelOpen: false,
    sandboxRuns: false,
    transfers: 0,
  }
  let lastReason: string | null = null
  let quietTimer: NodeJS.Timeout | undefined

  const reason = (): string | null =>
    installBlocker({ ...activity, now: now(), jobs: jobs.size, authorizations: runs.size })
  function notifyIfChanged(): void {
    const current = reason()
    if (current === lastReason) return
    lastReason = current
    for (const listener of listeners) listener()
  }
  function update(change: Partial<typeof activity>): void {
    activity = { ...activity, ...change }
    notifyIfChanged()
  }
  function updateJob(job: Job, removed: boolean): void {
    if (!removed && job.state === 'running') jobs.add(job.id)
    else jobs.delete(job.id)
  }
  function updateRun(run: Run): void {
    if (run.state === 'running' || run.state === 'waiting') runs.add(run.id)
    else runs.delete(run.id)
  }

  view.onSnapshot((snapshot) => {
    jobs.clear()
    runs.clear()
    for (const job of snapshot.jobs) updateJob(job, false)
    for (const run of snapshot.runs) updateRun(run)
    update({
      tunnelOpen: isOpen(snapshot.tunnel),
      sandboxRuns: snapshot.sandbox.running,
      transfers: countTransfers(snapshot.logs),
    })
  })
  view.on('deliveries.arrived', () => {
    clearTimeout(quietTimer)
    quietTimer = setTimeout(notifyIfChanged, QUIET_MS + 1)
    quietTimer.unref()
    update({ lastArrival: now() })
  })
  view.on('tunnel.changed', (tunnel) => update({ tunnelOpen: isOpen(tunnel) }))
  view.on('sandbox.changed', ({ running }) => update({ sandboxRuns: running }))
  view.on('logs.changed', (logs) => update({ transfers: countTransfers(logs) }))
  view.on('jobs.changed', ({ job, removed }) => {
    updateJob(job, removed)
    notifyIfChanged()
  })
  view.on('authorization.changed', (run) => {
    updateRun(run)
    notifyIfChanged()
  })
  return { reason, onChange: (listener) => void listeners.push(listener) }
}

function isOpen(tunnel: TunnelView): boolean {
  return tunnel.state !== 'off'
}

function countTransfers({ exports, imports }: LogsView): number {
  return [...exports, ...imports].filter(({ state }) => state === 'running').length
}

const CHECK_EVERY_MS = 6 * 60 * 60_000
const FIRST_CHECK_MS = 30_000

/** Unless the setting is off at that time. `after` calls back once. */
export function scheduleChecks(
  setting: () => Settings['updates'],
  check: () => void,
  after: (ms: number, callback: () => void) => void,
): void {
  const run = (): void => {
    if (setting() !== 'off') check()
    after(CHECK_EVERY_MS, run)
  }
  after(FIRST_CHECK_MS, run)
}
