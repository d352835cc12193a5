import { expect, it } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { nextAnnouncement, noAnnouncement, setTunnel, useTunnel } from '#client/state/tunnel.ts'
import {
  offlineTunnel,
  offTunnel,
  onlineTunnel,
  warnedTunnel,
} from '../../../support/sample-tunnels.ts'

const now = 1_700_000_000_000

function announcements(...views: TunnelView[]): string[] {
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
  expect(announcements(online)).toEqual([])
  expect(announcements(offline)).toEqual([])
})

it('announces a loss once, a deterioration once, and the reconnection', () => {
  expect(
    announcements(
      online,
      degraded,
      reconnecting,
      offline,
      reconnecting,
      offline,
      reconnecting,
      online,
    ),
  ).toEqual([
    'Tunnel degraded: The self-probe failed.',
    'Tunnel offline: Its server is down.',
    'Tunnel online: pier9.loca.lt.',
  ])
  // The next loss is announced again.
  expect(announcements(online, offline, online, offline)).toHaveLength(3)
})

it('announces that it could not be opened, and that it was closed', () => {
  const opening: TunnelView = { ...offline, state: 'opening' }
  expect(announcements(offTunnel(now), opening, offline, offTunnel(now))).toEqual([
    'Tunnel offline: Its server is down.',
    'Tunnel closed.',
  ])
})

it('announces each new warning once', () => {
  const warned = warnedTunnel(now)
  expect(announcements({ ...warned, warnings: [] }, warned, { ...warned })).toEqual([
    'Setup shows a warning.',
  ])
})

it('escapes invisible characters', () => {
  expect(announcements(online, { ...offline, reason: 'a\u202eb' })).toEqual([
    'Tunnel offline: a\\u202eb',
  ])
})

it('keeps the last URL while there is none, and removes it when the tunnel is closed', () => {
  setTunnel(online)
  setTunnel({ ...reconnecting, url: null })
  expect(useTunnel.getState().lastUrl).toBe('https://pier9.loca.lt')
  setTunnel(offTunnel(now))
  expect(useTunnel.getState().lastUrl).toBeNull()
})
