import type { EngineView } from '../engine/view.ts'

/** What would be cut off by an end of Tabscope just now, as a sentence; null: nothing. */
export interface RunningWork {
  sentence(): string | null
}

/** Follows jobs, exports and imports. What is received is on the disk in any case, and is none of it. */
export function trackRunningWork(view: EngineView): RunningWork {
  const jobs = new Set<number>()
  let exports = 0
  let imports = 0

  view.onSnapshot((snapshot) => {
    jobs.clear()
    for (const { id, state } of snapshot.jobs) if (state === 'running') jobs.add(id)
    takeLogs(snapshot.logs)
  })
  view.on('jobs.changed', ({ job, removed }) => {
    if (!removed && job.state === 'running') jobs.add(job.id)
    else jobs.delete(job.id)
  })
  view.on('logs.changed', takeLogs)
  view.onGone(() => {
    jobs.clear()
    exports = 0
    imports = 0
  })

  function takeLogs(logs: Record<'exports' | 'imports', readonly { state: string }[]>): void {
    exports = running(logs.exports)
    imports = running(logs.imports)
  }

  return {
    sentence() {
      if (exports > 0) {
        return 'An export is running. If you quit, no file is written, and you have to export again.'
      }
      if (imports > 0)
        return 'An import is running. If you quit, you have to import the event log again.'
      if (jobs.size > 0) {
        return 'A job is sending deliveries. If you quit, it is interrupted, and you can resume it at the next start.'
      }
      return null
    },
  }
}

function running(transfers: readonly { state: string }[]): number {
  return transfers.filter(({ state }) => state === 'running').length
}
