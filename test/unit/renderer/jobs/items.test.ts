import { expect, it } from 'vitest'
import { jobAddress, jobOf } from '#renderer/routes/pages.ts'
import { countOf, initialFilter } from '#renderer/features/jobs/JobItems.tsx'
import { job } from '../attempts/samples.ts'

it('shows uncertain items first, then failed ones', () => {
  expect(initialFilter({ ...job, uncertain: 1, failed: 2 })).toBe('uncertain')
  expect(initialFilter({ ...job, failed: 2 })).toBe('failed')
  expect(initialFilter(job)).toBe('all')
  expect(countOf({ ...job, inFlight: 3 }, 'claimed')).toBe(3)
  expect(countOf(job, 'all')).toBe(10)
})

it('parses the job ID only from job URLs', () => {
  expect(jobOf(jobAddress(12))).toBe(12)
  for (const hash of ['#/jobs', '#/jobs/0', '#/jobs/-1', '#/jobs/1e3', '#/compose/12', '']) {
    expect(jobOf(hash), hash).toBeNull()
  }
})
