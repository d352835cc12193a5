import { expect, it } from 'vitest'
import { jobAddress, jobOf } from '#client/addresses/pages.ts'
import { countOf, initialFilter } from '#pages/send/history/JobItems.tsx'
import { sampleJob as job } from '#test/support/sample-job.ts'

it('shows uncertain items first, then failed ones', () => {
  expect(initialFilter({ ...job, uncertain: 1, failed: 2 })).toBe('uncertain')
  expect(initialFilter({ ...job, failed: 2 })).toBe('failed')
  expect(initialFilter(job)).toBe('all')
  expect(countOf({ ...job, inFlight: 3 }, 'claimed')).toBe(3)
  expect(countOf(job, 'all')).toBe(10)
})

it('parses the job ID only from job URLs', () => {
  expect(jobOf(jobAddress(12))).toBe(12)
  for (const hash of [
    '#/send/history',
    '#/send/history/0',
    '#/send/history/-1',
    '#/send/history/1e3',
    '#/send/drafts/12',
    '',
  ]) {
    expect(jobOf(hash), hash).toBeNull()
  }
})
