import type { Endpoint, ListenerState, Settings } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { EngineView } from './engine/view.ts'

/** What main's own parts need of the engine, as it was last told. */
export interface Picture {
  readonly settings: Settings
  readonly listener: ListenerState
  readonly tunnel: TunnelView
  readonly endpoints: readonly Endpoint[]
}

export interface FollowedPicture {
  /** Null: the engine has not opened yet. */
  readonly current: Picture | null
  /** With each change; `fresh`: all of it is new, since the engine has opened, or was started again. */
  onChange(listener: (picture: Picture, fresh: boolean) => void): void
}

export function followEngine(view: EngineView): FollowedPicture {
  const listeners: ((picture: Picture, fresh: boolean) => void)[] = []
  let current: Picture | null = null

  function take(picture: Picture, fresh: boolean): void {
    current = picture
    for (const listener of listeners) listener(picture, fresh)
  }
  const change = (changed: Partial<Picture>): void => {
    // Before the first picture there is nothing to change: it will have it.
    if (current !== null) take({ ...current, ...changed }, false)
  }

  view.onSnapshot(({ settings, listener, tunnel, endpoints }) => {
    take({ settings, listener, tunnel, endpoints }, true)
  })
  view.on('settings.changed', (settings) => change({ settings }))
  view.on('listener.changed', (listener) => change({ listener }))
  view.on('tunnel.changed', (tunnel) => change({ tunnel }))
  view.on('endpoints.changed', (endpoints) => change({ endpoints }))

  return {
    get current() {
      return current
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
