import { expect, it } from 'vitest'
import { tunnelStates } from '#contract/constants.ts'
import {
  barAction,
  checkLabel,
  hostOf,
  publicUrl,
  tunnelStateLabels,
} from '#client/state/tunnel-labels.ts'

it('has a different word for each state', () => {
  expect(new Set(tunnelStates.map((state) => tunnelStateLabels[state].word)).size).toBe(6)
})

it('offers to open the tunnel if it is off, and to retry if it is offline', () => {
  expect(tunnelStates.map((state) => barAction({ state }))).toEqual([
    'open',
    null,
    null,
    null,
    'retry',
    null,
  ])
  expect(checkLabel({ state: 'off' })).toBeNull()
  expect(checkLabel({ state: 'online' })).toBe('Check now')
  expect(checkLabel({ state: 'offline' })).toBe('Retry')
})

it('formats URLs', () => {
  expect(publicUrl('https://pier9.loca.lt', 'pos')).toBe('https://pier9.loca.lt/hooks/pos')
  expect(hostOf('http://pier9.localhost:4000')).toBe('pier9.localhost:4000')
  expect(hostOf('not an\u0000address')).toBe('not an\\u0000address')
})
