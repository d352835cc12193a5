import { expect, it } from 'vitest'
import type { AttemptError } from '#contract/sending.ts'
import { hasSucceeded, outcomeOf, resultSentence } from '#parts/send/labels.ts'
import { sampleAttempt } from '#test/support/event-log/sample-item.ts'

const { fields: summary } = sampleAttempt(3, { deliveryId: 7 })

const error = (code: AttemptError['code']): AttemptError => ({ code, message: `Mend the ${code}.` })

it('does not treat a truncated response as a success', () => {
  const cut = { status: 200, error: error('reset') }
  expect(outcomeOf(cut)).toEqual({ tone: 'invalid', word: '200 OK, then connection reset' })
  expect(hasSucceeded({ ...cut, signing: 'kept' })).toBe(false)
  expect(
    [199, 200, 299, 300].map((status) => hasSucceeded({ status, error: null, signing: 'kept' })),
  ).toEqual([false, true, true, false])
})

it('reports whether a deliberately broken signature was rejected, as expected', () => {
  const broken = { ...summary, signing: 'broken' } as const
  expect(resultSentence({ ...broken, status: 401 })).toBe(
    '#7 re-sent to 127.0.0.1:3000: 401 Unauthorized, rejected as expected.',
  )
  expect(hasSucceeded({ ...broken, status: 401 })).toBe(true)
  expect(resultSentence({ ...broken, status: 200 })).toBe(
    '#7 re-sent to 127.0.0.1:3000: 200 OK, accepted with a broken signature.',
  )
  expect(hasSucceeded({ ...broken, status: 200 })).toBe(false)
  expect(resultSentence({ ...broken, status: 500 })).toBe(
    '#7 re-sent to 127.0.0.1:3000: 500 Internal Server Error.',
  )
})
