import { expect, it } from 'vitest'
import {
  failuresOf,
  finishedCount,
  progressParts,
  summaryOf,
} from '#renderer/features/jobs/labels.ts'
import { job } from '../attempts/samples.ts'

it('summarizes the results, including deliveries that were not sent', () => {
  expect(summaryOf({ ...job, waiting: 0, ok: 10 })).toBe('10 of 10 got a 2xx response.')
  const mixed = { ...job, waiting: 2, inFlight: 1, ok: 3, failed: 2, skipped: 1, uncertain: 1 }
  expect(summaryOf(mixed)).toBe(
    '3 of 10 got a 2xx response, 2 failed, 1 skipped, 1 uncertain, 3 not sent.',
  )
  expect(finishedCount(mixed)).toBe(6)
  expect(progressParts(mixed).reduce((sum, part) => sum + part.count, 0)).toBe(mixed.total)
})

it('expects a rejection if the signature is deliberately invalid', () => {
  const sign = { how: 'broken', endpointId: null, which: 'current', fault: 'digit' } as const
  const results = [
    { status: 401, error: null, count: 9 },
    { status: 200, error: null, count: 1 },
  ]
  expect(summaryOf({ ...job, sign, waiting: 0, ok: 9, failed: 1 })).toBe(
    '9 of 10 rejected as expected, 1 failed.',
  )
  expect(failuresOf({ sign, results })).toMatch(/^1 × 200/)
})

it('lists failures, most frequent first, and omits successes', () => {
  const results = [
    { status: 200, error: null, count: 9 },
    { status: 503, error: null, count: 2 },
    { status: null, error: 'Nothing listens at 127.0.0.1:9.', count: 40 },
  ]
  expect(failuresOf({ ...job, results })).toBe(
    '40 × Nothing listens at 127.0.0.1:9, 2 × 503 Service Unavailable',
  )
  expect(failuresOf({ ...job, results: results.slice(0, 1) })).toBe('')
})
