import { create } from 'zustand'
import type { Job } from '#contract/sending.ts'

interface JobsState {
  readonly jobs: ReadonlyMap<number, Job>
  /** True once all jobs are loaded, not only the open ones. */
  readonly listed: boolean
  /** Why the jobs could not be loaded. */
  readonly failure: string | null
  /** Jobs that were open during this session, and those that the user dismissed. */
  readonly seen: ReadonlySet<number>
  readonly dismissed: ReadonlySet<number>
}

export const useJobs = create<JobsState>(() => ({
  jobs: new Map(),
  listed: false,
  failure: null,
  seen: new Set(),
  dismissed: new Set(),
}))

export function isOpen({ state }: Job): boolean {
  return state === 'running' || state === 'paused' || state === 'interrupted'
}

export function setJob(job: Job): void {
  useJobs.setState(({ jobs, seen }) => ({
    jobs: new Map(jobs).set(job.id, job),
    ...(isOpen(job) && !seen.has(job.id) ? { seen: new Set(seen).add(job.id) } : {}),
  }))
}

export function forgetJob(id: number): void {
  useJobs.setState(({ jobs }) => {
    const next = new Map(jobs)
    next.delete(id)
    return { jobs: next }
  })
}

/** Stores all jobs (`listed`), or the open jobs of a snapshot. */
export function setJobs(all: readonly Job[], listed: boolean): void {
  useJobs.setState(({ seen }) => ({
    jobs: new Map(all.map((job) => [job.id, job])),
    listed,
    failure: null,
    seen: new Set([...seen, ...all.filter(isOpen).map(({ id }) => id)]),
  }))
}

/** Stops showing a job on every page. */
export function dismissJob(id: number): void {
  useJobs.setState(({ dismissed }) => ({ dismissed: new Set(dismissed).add(id) }))
}

export function newestFirst(jobs: ReadonlyMap<number, Job>): Job[] {
  return [...jobs.values()].sort((a, b) => b.id - a.id)
}

type Reported = Pick<JobsState, 'jobs' | 'seen' | 'dismissed'>

/** The job to show on every page: a running one, otherwise an open one, otherwise the latest finished one; null if there is none. */
export function jobToReport({ jobs, seen, dismissed }: Reported): Job | null {
  const candidates = newestFirst(jobs).filter(({ id }) => seen.has(id) && !dismissed.has(id))
  return (
    candidates.find(({ state }) => state === 'running') ??
    candidates.find(isOpen) ??
    candidates[0] ??
    null
  )
}
