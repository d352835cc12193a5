import type { Snapshot } from '#contract/calls.ts'
import type { EngineView } from './engine/view.ts'

/** What quitting or an update would interrupt, as a sentence. Received deliveries are not included, since they are already on disk. */
export interface RunningWork {
  /** Null: quitting would interrupt nothing. */
  quitWarning(): string | null
  /** Null: an update need not wait. */
  updateBlocker(): string | null
  /** The setting is on, and a tunnel is open or a job runs. */
  preventsSleep(): boolean
}

export type Work = Pick<Snapshot, 'tunnel' | 'sandbox' | 'logs' | 'settings'> & {
  readonly jobs: ReadonlySet<number>
  readonly runs: ReadonlySet<number>
}

/** `changed`: what runs may have changed. */
export function trackRunningWork(view: EngineView, changed: () => void): RunningWork {
  const jobs = new Set<number>()
  const runs = new Set<number>()
  /** Null while no engine is running. */
  let work: Work | null = null

  function update(change: Partial<Work>): void {
    if (work !== null) work = { ...work, ...change }
    changed()
  }
  function toggle(ids: Set<number>, id: number, isRunning: boolean): void {
    if (isRunning) ids.add(id)
    else ids.delete(id)
    changed()
  }

  view.onSnapshot((snapshot) => {
    jobs.clear()
    runs.clear()
    for (const { id, state } of snapshot.jobs) if (state === 'running') jobs.add(id)
    for (const { id, endedAt } of snapshot.runs) if (endedAt === null) runs.add(id)
    const { tunnel, sandbox, logs, settings } = snapshot
    work = { tunnel, sandbox, logs, settings, jobs, runs }
    changed()
  })
  view.on('tunnel.changed', (tunnel) => update({ tunnel }))
  view.on('sandbox.changed', (sandbox) => update({ sandbox }))
  view.on('logs.changed', (logs) => update({ logs }))
  view.on('settings.changed', (settings) => update({ settings }))
  view.on('jobs.changed', ({ job, removed }) =>
    toggle(jobs, job.id, !removed && job.state === 'running'),
  )
  view.on('authorization.changed', ({ id, endedAt }) => toggle(runs, id, endedAt === null))
  view.onGone(() => {
    work = null
    changed()
  })

  return {
    quitWarning: () => work && quitWarning(work),
    updateBlocker: () => work && updateBlocker(work),
    preventsSleep: () =>
      work?.settings.preventSleep === true && (work.tunnel.state !== 'off' || work.jobs.size > 0),
  }
}

function isRunning(transfers: readonly { readonly state: string }[]): boolean {
  return transfers.some(({ state }) => state === 'running')
}

export function quitWarning({ logs, jobs }: Work): string | null {
  if (isRunning(logs.exports)) {
    return 'An export is running. If you quit, no file is written, and you have to export again.'
  }
  if (isRunning(logs.imports))
    return 'An import is running. If you quit, you have to import the event log again.'
  if (jobs.size > 0) {
    return 'A job is sending deliveries. If you quit, it is interrupted, and you can resume it at the next start.'
  }
  return null
}

export function updateBlocker({ logs, jobs, runs, sandbox, tunnel }: Work): string | null {
  if (jobs.size > 0) return 'A job is sending deliveries. The update waits until it ends.'
  if (isRunning(logs.exports) || isRunning(logs.imports))
    return 'An event log is being exported or imported. The update waits until it ends.'
  if (runs.size > 0) return 'An authorization is running. The update waits until it ends.'
  if (sandbox.running) return 'The sandbox is sending. The update waits until you stop it.'
  if (tunnel.state !== 'off')
    return 'The tunnel is open, so deliveries may arrive. The update waits until you close it.'
  return null
}
