import type { Snapshot } from '#contract/calls.ts'
import type { EngineView } from './engine/view.ts'

/** What quitting would interrupt, as a sentence. Received deliveries are not included, since they are already on disk. */
export type RunningWork = ReturnType<typeof trackRunningWork>

export type Work = Pick<Snapshot, 'tunnel' | 'logs' | 'settings'> & {
  readonly jobs: ReadonlySet<number>
}

/** `changed`: what runs may have changed. */
export function trackRunningWork(view: EngineView, changed: () => void) {
  const jobs = new Set<number>()
  /** Null while no engine is running. */
  let work: Work | null = null

  function update(change: Partial<Work>): void {
    if (work !== null) work = { ...work, ...change }
    changed()
  }

  view.onSnapshot((snapshot) => {
    jobs.clear()
    for (const { id, state } of snapshot.jobs) if (state === 'running') jobs.add(id)
    const { tunnel, logs, settings } = snapshot
    work = { tunnel, logs, settings, jobs }
    changed()
  })
  view.on('tunnel.changed', (tunnel) => update({ tunnel }))
  view.on('logs.changed', (logs) => update({ logs }))
  view.on('settings.changed', (settings) => update({ settings }))
  view.on('jobs.changed', ({ job, removed }) => {
    if (!removed && job.state === 'running') jobs.add(job.id)
    else jobs.delete(job.id)
    changed()
  })
  view.onGone(() => {
    work = null
    changed()
  })

  return {
    /** Null: quitting would interrupt nothing. */
    quitWarning: () => work && quitWarning(work),
    /** The setting is on, and a tunnel is open or a job runs. */
    preventsSleep: () =>
      work?.settings.preventSleep === true && (work.tunnel.state !== 'off' || work.jobs.size > 0),
  }
}

function isRunning(transfers: readonly { state: string }[]): boolean {
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
