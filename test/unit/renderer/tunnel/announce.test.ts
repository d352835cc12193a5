import { expect, it } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { nextAnnouncement, noAnnouncement } from '#renderer/state/tunnel.ts'
import { takeTunnel, useTunnel } from '#renderer/state/tunnel.ts'
import {
  offlineTunnel,
  offTunnel,
  onlineTunnel,
  warnedTunnel,
} from '../../../support/made-up-tunnel.ts'

const now = 1_700_000_000_000

function told(...views: TunnelView[]): string[] {
  const texts: string[] = []
  let said = noAnnouncement
  let before: TunnelView | null = null
  for (const view of views) {
    const next = nextAnnouncement(said, before, view)
    if (next !== said && next.text !== '') texts.push(next.text)
    said = next
    before = view
  }
  return texts
}

const online = onlineTunnel(now)
const degraded: TunnelView = { ...online, state: 'degraded', reason: 'The self-probe failed.' }
const reconnecting: TunnelView = { ...online, state: 'reconnecting', reason: 'Opened anew.' }
const offline: TunnelView = { ...offlineTunnel(now), reason: 'Its server is down.' }

it('does not announce the state when the page opens', () => {
  expect(told(online)).toEqual([])
  expect(told(offline)).toEqual([])
})

it('reads out a loss once, that it got worse once, and that it is back', () => {
  expect(
    told(online, degraded, reconnecting, offline, reconnecting, offline, reconnecting, online),
  ).toEqual([
    'Tunnel degraded: The self-probe failed.',
    'Tunnel offline: Its server is down.',
    'Tunnel online: pier9.loca.lt.',
  ])
  // And the next loss again.
  expect(told(online, offline, online, offline)).toHaveLength(3)
})

it('reads out that it could not be opened, and that it was closed', () => {
  const opening: TunnelView = { ...offline, state: 'opening' }
  expect(told(offTunnel(now), opening, offline, offTunnel(now))).toEqual([
    'Tunnel offline: Its server is down.',
    'Tunnel closed.',
  ])
})

it('points to a new warning, and to each once', () => {
  const warned = warnedTunnel(now)
  expect(told({ ...warned, warnings: [] }, warned, { ...warned })).toEqual([
    'The tunnel page shows a warning.',
  ])
})

it('writes characters that would not show as escapes', () => {
  expect(told(online, { ...offline, reason: 'a\u202eb' })).toEqual(['Tunnel offline: a\\u202eb'])
})

it('remembers the last address while there is none, and forgets it when it is closed', () => {
  takeTunnel(online)
  takeTunnel({ ...reconnecting, url: null })
  expect(useTunnel.getState().lastUrl).toBe('https://pier9.loca.lt')
  takeTunnel(offTunnel(now))
  expect(useTunnel.getState().lastUrl).toBeNull()
})
