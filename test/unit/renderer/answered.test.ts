import { expect, it } from 'vitest'
import { answerOf, ownSentence, statusWordOf } from '#renderer/features/deliveries/answered.ts'

const usual = { status: 200, answeredIn: 2, answeredBy: null }

it('reports the response, and its source where it was not the default', () => {
  expect(answerOf(usual)).toBe('responded with 200 in 2 ms')
  expect(answerOf({ ...usual, status: 500, answeredBy: 'rule' })).toBe(
    'responded with 500 by a response rule in 2 ms',
  )
  expect(answerOf({ ...usual, answeredBy: 'target' })).toContain('by the forward target')
  expect(answerOf({ status: null, answeredIn: null, answeredBy: null })).toBe('no response')
})

it('distinguishes a connection that a rule dropped from one without a response', () => {
  const dropped = { status: null, answeredIn: null, answeredBy: 'rule' } as const
  expect(answerOf(dropped)).toBe('connection dropped by a response rule')
  expect(statusWordOf(dropped)).toBe('dropped')
  expect(statusWordOf({ ...dropped, answeredBy: null })).toBe('none')
  expect(statusWordOf(usual)).toBe('200')
})

it('distinguishes what a forward stops from what was sent by hand', () => {
  expect(ownSentence('forward')).toContain('not forwarded again')
  expect(ownSentence('send')).not.toContain('forwarded')
})
