import { expect, it } from 'vitest'
import type { AttemptError } from '#contract/sending.ts'
import {
  hasSucceeded,
  marksOf,
  outcomeOf,
  resultSentence,
  signingSentence,
} from '#parts/send/labels.ts'
import { summary } from './samples.ts'

const error = (code: AttemptError['code']): AttemptError => ({ code, message: `Mend the ${code}.` })

it('does not treat a truncated response as a success', () => {
  const cut = { status: 200, error: error('reset') }
  expect(outcomeOf(cut)).toEqual({ tone: 'invalid', word: '200 OK, then connection reset' })
  expect(hasSucceeded({ ...cut, signing: 'kept' })).toBe(false)
  expect(
    [199, 200, 299, 300].map((status) => hasSucceeded({ status, error: null, signing: 'kept' })),
  ).toEqual([false, true, true, false])
})

it('marks what differs from the captured delivery, and nothing else', () => {
  expect(marksOf(summary)).toEqual([])
  expect(
    marksOf({ ...summary, edited: true, bodyEdited: true, signing: 'signed', tryNumber: 2 }),
  ).toEqual(['body edited', 're-signed', 'try 2'])
  expect(marksOf({ ...summary, edited: true })).toEqual(['edited'])
  // Without a delivery, there is nothing to differ from.
  expect(marksOf({ ...summary, deliveryId: null, edited: true, signing: 'none' })).toEqual([
    'unsigned',
  ])
  expect(signingSentence({ ...summary, signing: 'signed', secretName: 'current of Main' })).toBe(
    'Re-signed with the current secret of Main.',
  )
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
