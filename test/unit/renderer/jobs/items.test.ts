import { expect, it } from 'vitest'
import type { JobItem } from '#contract/sending.ts'
import { jobAddress, jobOf } from '#renderer/routes/pages.ts'
import { countOf, initialFilter, replaceStart } from '#renderer/features/jobs/JobItems.tsx'
import { job } from '../attempts/samples.ts'

const item = (position: number, state: JobItem['state'] = 'waiting'): JobItem => ({
  position,
  deliveryId: position + 1,
  title: null,
  state,
  attemptId: null,
  status: null,
  error: null,
})
const placed = (rows: readonly JobItem[]) => rows.map(({ position, state }) => [position, state])

it('replaces the start of the list, and keeps the items after it', () => {
  const held = [item(0), item(1), item(2), item(3)]
  expect(placed(replaceStart(held, [item(0, 'ok'), item(1, 'failed')], 2))).toEqual([
    [0, 'ok'],
    [1, 'failed'],
    [2, 'waiting'],
    [3, 'waiting'],
  ])
})

it('removes items that are missing in a complete response', () => {
  // The number of waiting items decreases with each request.
  expect(replaceStart([item(0), item(1), item(2)], [item(2)], 200)).toEqual([item(2)])
  expect(replaceStart([item(0)], [], 200)).toEqual([])
})

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
