import type { EngineView } from '../engine/view.ts'

/** A sentence about the work that quitting would interrupt; null if there is none. */
export interface RunningWork {
  describe(): string | null
}

/** Tracks jobs, exports and imports. Received deliveries are not included, since they are already on disk. */
export function trackRunningWork(view: EngineView): RunningWork {
  const jobs = new Set<number>()
  let exports = 0
  let imports = 0

  view.onSnapshot((snapshot) => {
    jobs.clear()
    for (const { id, state } of snapshot.jobs) if (state === 'running') jobs.add(id)
    updateTransfers(snapshot.logs)
  })
  view.on('jobs.changed', ({ job, removed }) => {
    if (!removed && job.state === 'running') jobs.add(job.id)
    else jobs.delete(job.id)
  })
  view.on('logs.changed', updateTransfers)
  view.onGone(() => {
    jobs.clear()
    exports = 0
    imports = 0
  })

  function updateTransfers(
    logs: Record<'exports' | 'imports', readonly { state: string }[]>,
  ): void {
    exports = countRunning(logs.exports)
    imports = countRunning(logs.imports)
  }

  return {
    describe() {
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

function countRunning(transfers: readonly { state: string }[]): number {
  return transfers.filter(({ state }) => state === 'running').length
}
