import { create } from 'zustand'
import type { Job } from '#contract/sending.ts'

interface JobsState {
  readonly jobs: ReadonlyMap<number, Job>
  /** True once all of them were asked for, and not only those that are not over. */
  readonly listed: boolean
  /** Why they could not be. */
  readonly failure: string | null
  /** Those that were seen under way, and those of them that the user does not want to see any more. */
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

/** Whether there is still something to be done or decided. */
export function isOpen({ state }: Job): boolean {
  return state === 'running' || state === 'paused' || state === 'interrupted'
}

/** Takes a push, or the answer to a command. */
export function takeJob(job: Job): void {
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

/** All of them (`listed`), or those of a snapshot, which are not over. */
export function takeJobs(all: readonly Job[], listed: boolean): void {
  useJobs.setState(({ seen }) => ({
    jobs: new Map(all.map((job) => [job.id, job])),
    listed,
    failure: null,
    seen: new Set([...seen, ...all.filter(isOpen).map(({ id }) => id)]),
  }))
}

/** It need not be told of any more. */
export function dismissJob(id: number): void {
  useJobs.setState(({ dismissed }) => ({ dismissed: new Set(dismissed).add(id) }))
}

/** Newest first. */
export function newestFirst(jobs: ReadonlyMap<number, Job>): Job[] {
  return [...jobs.values()].sort((one, other) => other.id - one.id)
}

type Told = Pick<JobsState, 'jobs' | 'seen' | 'dismissed'>

/** The job to tell of on every page: one that is under way, else the last that was and is over; null: there is none. */
export function jobToReport({ jobs, seen, dismissed }: Told): Job | null {
  const told = newestFirst(jobs).filter(({ id }) => seen.has(id) && !dismissed.has(id))
  return told.find(({ state }) => state === 'running') ?? told.find(isOpen) ?? told[0] ?? null
}
