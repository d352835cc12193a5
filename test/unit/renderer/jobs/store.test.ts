import { beforeEach, expect, it } from 'vitest'
import {
  dismissJob,
  forgetJob,
  jobToReport,
  newestFirst,
  setJob,
  setJobs,
  useJobs,
} from '#client/state/jobs.ts'
import { sampleJob as job } from '#test/support/sample-job.ts'

const reportedJob = () => jobToReport(useJobs.getState())?.id ?? null
const done = { ...job, state: 'done' as const, waiting: 0, ok: 10 }

beforeEach(() => useJobs.setState(useJobs.getInitialState()))

it('lists running jobs before waiting ones, and those before finished ones', () => {
  setJobs(
    [
      { ...job, id: 1 },
      { ...job, id: 2, state: 'paused' },
      { ...job, id: 3 },
    ],
    false,
  )
  expect(reportedJob()).toBe(3)
  setJob({ ...done, id: 3 })
  expect(reportedJob()).toBe(1)
  setJob({ ...job, id: 1, state: 'interrupted' })
  expect(reportedJob()).toBe(2)
  setJob({ ...done, id: 1 })
  setJob({ ...done, id: 2 })
  expect(reportedJob()).toBe(3)
})

it('shows the result until it is dismissed, and no results of earlier sessions', () => {
  setJobs([{ ...done, id: 1 }], true)
  expect(reportedJob()).toBeNull()
  setJob({ ...job, id: 2 })
  setJob({ ...done, id: 2 })
  expect(reportedJob()).toBe(2)
  dismissJob(2)
  expect(reportedJob()).toBeNull()
})

it('lists the newest first, and omits removed jobs', () => {
  setJobs(
    [
      { ...job, id: 1 },
      { ...job, id: 3 },
      { ...job, id: 2 },
    ],
    true,
  )
  expect(newestFirst(useJobs.getState().jobs).map(({ id }) => id)).toEqual([3, 2, 1])
  forgetJob(3)
  expect(newestFirst(useJobs.getState().jobs).map(({ id }) => id)).toEqual([2, 1])
  expect(reportedJob()).toBe(2)
})
