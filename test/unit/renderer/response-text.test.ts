import { expect, it } from 'vitest'
import {
  describeResponse,
  describeSender,
  statusLabel,
} from '#renderer/features/deliveries/response-text.ts'

const usual = { status: 200, responseMs: 2, respondedBy: null }

it('reports the response, and its source where it was not the default', () => {
  expect(describeResponse(usual)).toBe('responded with 200 in 2 ms')
  expect(describeResponse({ ...usual, status: 500, respondedBy: 'rule' })).toBe(
    'responded with 500 by a response rule in 2 ms',
  )
  expect(describeResponse({ ...usual, respondedBy: 'target' })).toContain('by the forward target')
  expect(describeResponse({ status: null, responseMs: null, respondedBy: null })).toBe(
    'no response',
  )
})

it('distinguishes a connection that a rule dropped from one without a response', () => {
  const dropped = { status: null, responseMs: null, respondedBy: 'rule' } as const
  expect(describeResponse(dropped)).toBe('connection dropped by a response rule')
  expect(statusLabel(dropped)).toBe('dropped')
  expect(statusLabel({ ...dropped, respondedBy: null })).toBe('none')
  expect(statusLabel(usual)).toBe('200')
})

it('distinguishes forwarded deliveries from those sent by hand', () => {
  expect(describeSender('forward')).toContain('not forwarded again')
  expect(describeSender('send')).not.toContain('forwarded')
})
