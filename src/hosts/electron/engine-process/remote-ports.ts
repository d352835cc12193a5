import type { UpdateState } from '#contract/desktop.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { AuthorizationWindow, SecretBox, SystemPort } from '#engine/platform/ports.ts'
import type { ThreadClient } from '#engine/platform/rpc.ts'
import type { EngineInit, MainApi, WindowEvent } from '../engine/messages.ts'

export type Main = ThreadClient<MainApi>

/** Main alone has `safeStorage`. Until `unlock`, requests are refused rather than queued: the keyring may be waiting for the user. */
export interface RemoteSecrets extends SecretBox {
  readonly unlocked: Promise<void>
  /** The system's secret store has responded to main. */
  unlock(): void
}

const LOCKED = "The system's keyring is locked. Unlock it, then try again."

export function createRemoteSecrets(main: Main): RemoteSecrets {
  const opened = Promise.withResolvers<void>()
  let isUnlocked = false
  const assertUnlocked = (): void => {
    if (!isUnlocked) throw new AppError('secret_unavailable', LOCKED)
  }
  return {
    unlocked: opened.promise,
    unlock() {
      isUnlocked = true
      opened.resolve()
    },
    async seal(clear) {
      assertUnlocked()
      return main.call('seal', clear)
    },
    async unseal(sealed) {
      assertUnlocked()
      // Copied: a view would be cloned with its whole buffer.
      return main.call('unseal', new Uint8Array(sealed))
    },
  }
}

type Listener = Parameters<AuthorizationWindow['open']>[1]

export interface RemoteWindow extends AuthorizationWindow {
  /** Does nothing if the window was closed meanwhile. */
  receive(id: number, event: WindowEvent): void
}

export function createRemoteWindow(main: Main): RemoteWindow {
  const listeners = new Map<number, Listener>()
  let lastId = 0

  return {
    open(request, on) {
      lastId += 1
      const id = lastId
      listeners.set(id, on)
      main.call('openWindow', { id, ...request }).catch((error: unknown) => {
        if (listeners.delete(id)) on.failed(String(error))
      })
      return {
        close() {
          // Without main there is no window either.
          if (listeners.delete(id)) main.call('closeWindow', id).catch(() => undefined)
        },
      }
    },
    receive(id, event) {
      const on = listeners.get(id)
      if (on === undefined) return
      if (event.kind === 'returned' || event.kind === 'closed') listeners.delete(id)
      switch (event.kind) {
        case 'hop':
          on.hop(event.url)
          break
        case 'returned':
          on.returned(event.url)
          break
        case 'closed':
          on.closed()
          break
        case 'failed':
          on.failed(event.message)
          break
      }
    },
  }
}

/** Only main can run these. */
export interface RemoteSystem extends SystemPort {
  updateChanged(state: UpdateState): void
}

/** `facts`: when the engine opened. */
export function createRemoteSystem(facts: EngineInit['system'], main: Main): RemoteSystem {
  const listeners: ((state: UpdateState) => void)[] = []
  let state = facts.update
  return {
    versions: () => facts.versions,
    logFile: facts.logFile,
    async showLogs() {
      await main.call('showLogs')
      return true
    },
    async copyText(text) {
      await main.call('copyText', text)
      return true
    },
    command: () => null,
    updates: {
      state: () => state,
      onChange: (listener) => void listeners.push(listener),
      async check() {
        await main.call('checkForUpdate')
        return state
      },
      async download() {
        await main.call('downloadUpdate')
        return state
      },
    },
    updateChanged(changed) {
      state = changed
      for (const listener of listeners) listener(changed)
    },
  }
}
