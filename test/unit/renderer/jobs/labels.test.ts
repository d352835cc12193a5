import { expect, it } from 'vitest'
import {
  failuresOf,
  outcomeWord,
  finishedCount,
  paceLabel,
  progressParts,
  signatureLabel,
  subjectOf,
  summaryOf,
} from '#renderer/features/jobs/labels.ts'
import { job } from '../attempts/samples.ts'

const endpointName = (id: number): string => `Endpoint ${id}`

it('describes a job', () => {
  expect(subjectOf({ total: 1, filter: null })).toBe('1 selected delivery')
  expect(subjectOf({ total: 1204, filter: null })).toBe('1,204 selected deliveries')
  expect(subjectOf({ total: 3, filter: 'type:OPEN_TAB' })).toBe('3 deliveries matching a filter')
  expect(subjectOf({ total: 3, filter: ' ' })).toBe('All 3 deliveries')
})

it('summarizes the results, including deliveries that were not sent', () => {
  expect(summaryOf({ ...job, waiting: 0, ok: 10 })).toBe('10 of 10 got a 2xx response.')
  const mixed = { ...job, waiting: 2, underWay: 1, ok: 3, failed: 2, skipped: 1, uncertain: 1 }
  expect(summaryOf(mixed)).toBe(
    '3 of 10 got a 2xx response, 2 failed, 1 skipped, 1 uncertain, 3 not sent.',
  )
  expect(finishedCount(mixed)).toBe(6)
  expect(progressParts(mixed).reduce((sum, part) => sum + part.count, 0)).toBe(mixed.total)
})

it('expects a rejection if the signature is deliberately invalid', () => {
  const sign = { how: 'broken', endpointId: null, which: 'current', fault: 'digit' } as const
  const outcomes = [
    { status: 401, error: null, count: 9 },
    { status: 200, error: null, count: 1 },
  ]
  expect(summaryOf({ ...job, sign, waiting: 0, ok: 9, failed: 1 })).toBe(
    '9 of 10 rejected as expected, 1 failed.',
  )
  expect(failuresOf({ sign, outcomes })).toMatch(/^1 × 200/)
})

it('describes the pace and the signatures', () => {
  expect(paceLabel({ how: 'one_by_one', stopOnFailure: true })).toBe('one by one, until one fails')
  expect(paceLabel({ how: 'rate', perSecond: 0.5 })).toBe('0.5 per second')
  expect(paceLabel({ how: 'spacing', speed: 1, longestGap: 60_000 })).toBe(
    'original timing, gaps up to 60 s',
  )
  expect(paceLabel({ how: 'spacing', speed: 10, longestGap: 1000 })).toContain('10 times as fast')
  expect(paceLabel({ how: 'at_once', width: 8 })).toBe('8 in parallel')
  expect(signatureLabel({ how: 'secret', endpointId: 2, which: 'previous' }, endpointName)).toBe(
    'recomputed with the previous secret of Endpoint 2',
  )
  expect(signatureLabel({ how: 'secret', endpointId: null, which: 'current' }, endpointName)).toBe(
    'recomputed with the current secret of each delivery’s endpoint',
  )
})

it('describes an outcome by its status, otherwise by its error', () => {
  expect(outcomeWord({ status: 503, error: null, count: 1 })).toBe('503 Service Unavailable')
  expect(outcomeWord({ status: null, error: 'Nothing listens there.', count: 1 })).toBe(
    'Nothing listens there.',
  )
  const error = 'Nothing listens at 127.0.0.1:9. Start your handler, or change the target.'
  expect(outcomeWord({ status: null, error, count: 1 })).toBe('Nothing listens at 127.0.0.1:9.')
})

it('lists failures, most frequent first, and omits successes', () => {
  const outcomes = [
    { status: 200, error: null, count: 9 },
    { status: 503, error: null, count: 2 },
    { status: null, error: 'Nothing listens at 127.0.0.1:9.', count: 40 },
  ]
  expect(failuresOf({ ...job, outcomes })).toBe(
    '40 × Nothing listens at 127.0.0.1:9, 2 × 503 Service Unavailable',
  )
  expect(failuresOf({ ...job, outcomes: outcomes.slice(0, 1) })).toBe('')
})
