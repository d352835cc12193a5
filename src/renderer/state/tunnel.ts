import { create } from 'zustand'
import type { TunnelView } from '#contract/tunnel.ts'
import { cut, visible } from '../ui/text/visible.ts'
import { hostOf, tunnelStateLabels } from './tunnel-labels.ts'

interface Said {
  readonly text: string
  /** How bad the worst is that was told of since it was last well. */
  readonly worst: 0 | 1 | 2
}

export const noAnnouncement: Said = { text: '', worst: 0 }

type Told = Pick<TunnelView, 'state' | 'reason' | 'url' | 'warnings'>

/**
 * What is read out once when the tunnel changes: that it is lost, that it got worse, that it is back, that a warning came. Not each try of
 * many: who works on another page must notice, and then be left in peace.
 */
export function announced(said: Said, before: Told | null, after: Told): Said {
  if (before === null) return noAnnouncement
  const change = ofState(said, before, after)
  const warned = after.warnings.some(
    ({ kind }) => !before.warnings.some((warning) => warning.kind === kind),
  )
  if (change === null && !warned) return said
  const parts = [change?.text, warned ? 'There is a warning on the tunnel’s page.' : undefined]
  return {
    text: parts.filter((part) => part !== undefined).join(' '),
    worst: change?.worst ?? said.worst,
  }
}

/** Null: nothing to tell. */
function ofState({ worst }: Said, before: Told, after: Told): Said | null {
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
      return worst >= 1 ? null : { text: trouble(after), worst: 1 }
    case 'offline':
      return worst >= 2 ? null : { text: trouble(after), worst: 2 }
  }
}

function trouble({ state, reason }: Told): string {
  return `Tunnel ${tunnelStateLabels[state].word}: ${visible(cut(reason, 300))}`
}

interface TunnelState {
  /** Null until the first snapshot came. */
  readonly view: TunnelView | null
  /** The address that it had last, while it is being opened anew and has none. */
  readonly lastUrl: string | null
  /** What those who do not see the bar are told. */
  readonly said: Said
}

export const useTunnel = create<TunnelState>(() => ({
  view: null,
  lastUrl: null,
  said: noAnnouncement,
}))

/** Takes a snapshot's, or a push. */
export function takeTunnel(view: TunnelView): void {
  useTunnel.setState((before) => ({
    view,
    lastUrl: view.url ?? (view.state === 'off' ? null : before.lastUrl),
    said: announced(before.said, before.view, view),
  }))
}
