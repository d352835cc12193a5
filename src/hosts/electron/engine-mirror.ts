import type { Endpoint, ListenerState, Settings } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { EngineView } from './engine/view.ts'

/** What main's own parts need of the engine, as it was last told. */
export interface EngineState {
  readonly settings: Settings
  readonly listener: ListenerState
  readonly tunnel: TunnelView
  /** Requests have come through it since it was opened: what is not there now is lost, and did not just fail to open. */
  readonly tunnelWasUp: boolean
  readonly endpoints: readonly Endpoint[]
}

export interface EngineMirror {
  /** Null: the engine has not opened yet. It stays, for what the user has chosen, while the engine is started again. */
  readonly current: EngineState | null
  /** Whether there is an engine that it is of. */
  readonly isLive: boolean
  /** With each change; `fresh`: all of it is new, since the engine has opened, or was started again. */
  onChange(listener: (picture: EngineState, fresh: boolean) => void): void
  /** The engine is gone, and nothing is received. */
  onGone(listener: () => void): void
}

export function mirrorEngine(view: EngineView): EngineMirror {
  const listeners: ((picture: EngineState, fresh: boolean) => void)[] = []
  const onGones: (() => void)[] = []
  let current: EngineState | null = null
  let isLive = false

  function take(told: Omit<EngineState, 'tunnelWasUp'>, fresh: boolean): void {
    const picture = { ...told, tunnelWasUp: wasUp(told.tunnel, current?.tunnelWasUp === true) }
    current = picture
    for (const listener of listeners) listener(picture, fresh)
  }
  const change = (changed: Partial<EngineState>): void => {
    // Before the first picture there is nothing to change: it will have it.
    if (current !== null) take({ ...current, ...changed }, false)
  }

  view.onSnapshot(({ settings, listener, tunnel, endpoints }) => {
    isLive = true
    take({ settings, listener, tunnel, endpoints }, true)
  })
  view.onGone(() => {
    isLive = false
    for (const listener of onGones) listener()
  })
  view.on('settings.changed', (settings) => change({ settings }))
  view.on('listener.changed', (listener) => change({ listener }))
  view.on('tunnel.changed', (tunnel) => change({ tunnel }))
  view.on('endpoints.changed', (endpoints) => change({ endpoints }))

  return {
    get current() {
      return current
    },
    get isLive() {
      return isLive
    },
    onChange: (listener) => void listeners.push(listener),
    onGone: (listener) => void onGones.push(listener),
  }
}

function wasUp({ state }: TunnelView, before: boolean): boolean {
  switch (state) {
    case 'off':
      return false
    case 'online':
    case 'degraded':
      return true
    case 'opening':
    case 'offline':
    case 'reconnecting':
      return before
  }
}
