import { expect, it } from 'vitest'
import { addressOf, viewOf, type View } from '#renderer/routes/authorization.ts'
import { pageOf } from '#renderer/routes/pages.ts'

const views: View[] = [
  { name: 'runs', runId: null, against: null },
  { name: 'runs', runId: 12, against: null },
  { name: 'runs', runId: 12, against: 9 },
  { name: 'tokens', tokenId: null },
  { name: 'tokens', tokenId: 3 },
  { name: 'refresh' },
  { name: 'setup' },
]

it('maps each view to its URL and back', () => {
  for (const view of views) {
    expect(viewOf(addressOf(view))).toEqual(view)
    expect(pageOf(addressOf(view))).toBe('authorization')
  }
})

it('opens the runs for any other URL', () => {
  const runs = { name: 'runs', runId: null, against: null }
  for (const hash of [
    '',
    '#/deliveries',
    '#/authorization/',
    '#/authorization/runs/0x1f',
    '#/authorization/nowhere/2',
  ]) {
    expect(viewOf(hash)).toEqual(runs)
  }
})

it('distinguishes pages with the same prefix', () => {
  expect(pageOf('#/authorizations')).toBe('deliveries')
  expect(pageOf('#/endpoints?x=1')).toBe('endpoints')
  expect(pageOf('')).toBe('deliveries')
})
