import { create } from 'zustand'
import type { TunnelView } from '#contract/tunnel.ts'
import { shortText } from '#kit/text/visible.ts'
import { hostOf, tunnelStateLabels } from './tunnel-labels.ts'

interface Announcement {
  readonly text: string
  /** The worst severity announced since the tunnel was last online. */
  readonly worst: 0 | 1 | 2
}

export const noAnnouncement: Announcement = { text: '', worst: 0 }

type AnnouncedState = Pick<TunnelView, 'state' | 'reason' | 'url' | 'warnings'>

/**
 * The text for screen readers after a change of the tunnel: when it is lost, gets worse, is online again or has a new warning. Retries are not
 * announced, so that users on other pages are not disturbed.
 */
export function nextAnnouncement(
  announcement: Announcement,
  before: AnnouncedState | null,
  after: AnnouncedState,
): Announcement {
  if (before === null) return noAnnouncement
  const change = stateAnnouncement(announcement, before, after)
  const warned = after.warnings.some(
    ({ kind }) => !before.warnings.some((warning) => warning.kind === kind),
  )
  if (change === null && !warned) return announcement
  const parts = [change?.text, warned ? 'Setup shows a warning.' : undefined]
  return {
    text: parts.filter((part) => part !== undefined).join(' '),
    worst: change?.worst ?? announcement.worst,
  }
}

/** Null if there is nothing to announce. */
function stateAnnouncement(
  { worst }: Announcement,
  before: AnnouncedState,
  after: AnnouncedState,
): Announcement | null {
  if (before.state === after.state) return null
  switch (after.state) {
    case 'off':
      return { text: 'Tunnel closed.', worst: 0 }
    case 'online':
      return {
        text: after.url === null ? 'Tunnel online.' : `Tunnel online: ${hostOf(after.url)}.`,
        worst: 0,
      }
    case 'opening':
      return null
    case 'degraded':
    case 'reconnecting':
      return worst >= 1 ? null : { text: describeProblem(after), worst: 1 }
    case 'offline':
      return worst >= 2 ? null : { text: describeProblem(after), worst: 2 }
  }
}

function describeProblem({ state, reason }: AnnouncedState): string {
  return `Tunnel ${tunnelStateLabels[state].word}: ${shortText(reason, 300)}`
}

interface TunnelState {
  /** Null until the first snapshot is loaded. */
  readonly view: TunnelView | null
  /** The last public URL, shown while the tunnel reconnects. */
  readonly lastUrl: string | null
  /** The text for screen readers. */
  readonly announcement: Announcement
}

export const useTunnel = create<TunnelState>(() => ({
  view: null,
  lastUrl: null,
  announcement: noAnnouncement,
}))

export function setTunnel(view: TunnelView): void {
  useTunnel.setState((before) => ({
    view,
    lastUrl: view.url ?? (view.state === 'off' ? null : before.lastUrl),
    announcement: nextAnnouncement(before.announcement, before.view, view),
  }))
}
