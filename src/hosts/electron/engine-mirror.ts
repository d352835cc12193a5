import type { Endpoint, ListenerState, Settings } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { EngineView } from './engine/view.ts'

/** What main needs, as last reported. */
export interface EngineState {
  readonly settings: Settings
  readonly listener: ListenerState
  readonly tunnel: TunnelView
  /** Since it was opened. If it is offline now, the connection was lost; otherwise it could not be opened. */
  readonly tunnelWasUp: boolean
  readonly endpoints: readonly Endpoint[]
}

export type EngineMirror = ReturnType<typeof mirrorEngine>

export function mirrorEngine(view: EngineView) {
  const listeners: ((state: EngineState, fresh: boolean) => void)[] = []
  const goneListeners: (() => void)[] = []
  let current: EngineState | null = null
  let isLive = false

  function update(reported: Omit<EngineState, 'tunnelWasUp'>, fresh: boolean): void {
    const state = {
      ...reported,
      tunnelWasUp: wasUp(reported.tunnel, current?.tunnelWasUp === true),
    }
    current = state
    for (const listener of listeners) listener(state, fresh)
  }
  const change = (changed: Partial<EngineState>): void => {
    // Before the first snapshot there is nothing to update; the snapshot will contain this change.
    if (current !== null) update({ ...current, ...changed }, false)
  }

  view.onSnapshot(({ settings, listener, tunnel, endpoints }) => {
    isLive = true
    update({ settings, listener, tunnel, endpoints }, true)
  })
  view.onGone(() => {
    isLive = false
    for (const listener of goneListeners) listener()
  })
  view.on('settings.changed', (settings) => change({ settings }))
  view.on('listener.changed', (listener) => change({ listener }))
  view.on('tunnel.changed', (tunnel) => change({ tunnel }))
  view.on('endpoints.changed', (endpoints) => change({ endpoints }))

  return {
    /** Null until the engine has first opened. Keeps the last state while the engine restarts, for the settings in it. */
    get current() {
      return current
    },
    get isLive() {
      return isLive
    },
    /** `fresh`: the whole state is new because the engine has started or restarted. */
    onChange: (listener: (state: EngineState, fresh: boolean) => void) =>
      void listeners.push(listener),
    /** No deliveries are received until the engine restarts. */
    onGone: (listener: () => void) => void goneListeners.push(listener),
  }
}

function wasUp({ state }: TunnelView, previous: boolean): boolean {
  switch (state) {
    case 'off':
      return false
    case 'online':
    case 'degraded':
      return true
    case 'opening':
    case 'offline':
    case 'reconnecting':
      return previous
  }
}
