import { create } from 'zustand'
import type { TunnelView } from '#contract/tunnel.ts'
import { announced, nothingSaid } from './announce.ts'
import type { Said } from './announce.ts'

interface TunnelState {
  /** Null until the first snapshot came. */
  readonly view: TunnelView | null
  /** The address that it had last, while it is being opened anew and has none. */
  readonly lastUrl: string | null
  /** What those who do not see the bar are told. */
  readonly said: Said
  /** The public server that the user is being asked about. */
  readonly asking: { readonly server: string; readonly answer: (yes: boolean) => void } | null
}

export const useTunnel = create<TunnelState>(() => ({
  view: null,
  lastUrl: null,
  said: nothingSaid,
  asking: null,
}))

/** Takes a snapshot's, or a push. */
export function takeTunnel(view: TunnelView): void {
  useTunnel.setState((before) => ({
    view,
    lastUrl: view.url ?? (view.state === 'off' ? null : before.lastUrl),
    said: announced(before.said, before.view, view),
  }))
}
