import type { FromEngine, WindowEvent } from '../engine/messages.ts'
import type { FileDialogs, SecretBox, AuthorizationWindow } from '#engine/platform/ports.ts'
import { AppError } from '#engine/platform/errors.ts'

/** The system's browser as the engine's process has it: main alone can open it. */
export interface RemoteBrowser {
  /** False: the address is none of http or https, or there is no browser. */
  open(url: string): Promise<boolean>
  answer(id: number, opened: boolean): void
}

export function createRemoteBrowser(tell: (message: FromEngine) => void): RemoteBrowser {
  const waiting = new Map<number, (opened: boolean) => void>()
  let lastId = 0
  return {
    async open(url) {
      lastId += 1
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting.set(lastId, resolve)
      tell({ kind: 'open-external', id: lastId, url })
      return promise
    },
    answer(id, opened) {
      waiting.get(id)?.(opened)
      waiting.delete(id)
    },
  }
}

/** The host's dialogs as the engine's process has them: main alone can show one. */
export interface RemoteDialogs extends FileDialogs {
  answer(id: number, path: string | null): void
}

export function createRemoteDialogs(tell: (message: FromEngine) => void): RemoteDialogs {
  const waiting = new Map<number, (path: string | null) => void>()
  let lastId = 0
  const ask = async (message: (id: number) => FromEngine): Promise<string | null> => {
    lastId += 1
    const { promise, resolve } = Promise.withResolvers<string | null>()
    waiting.set(lastId, resolve)
    tell(message(lastId))
    return promise
  }
  return {
    save: (name) => ask((id) => ({ kind: 'ask-save', id, name })),
    open: () => ask((id) => ({ kind: 'ask-open', id })),
    answer(id, path) {
      waiting.get(id)?.(path)
      waiting.delete(id)
    },
  }
}

/**
 * The engine's secret box in its process: each request goes to main, which alone has `safeStorage`. Until `unlock` every request is refused: a
 * keyring may have asked the user, and who calls must not wait for that.
 */
export interface RemoteSecrets extends SecretBox {
  readonly unlocked: Promise<void>
  /** Main has heard from the system's store. */
  unlock(): void
  answer(id: number, value: string | Uint8Array): void
  refuse(id: number, message: string): void
}

const LOCKED = "The system's keyring is locked. Unlock it, then try again."

interface Waiting {
  settle(value: string | Uint8Array): void
  reject(error: Error): void
}

/** `tell` takes a request to main; its answers come back by `answer` and `refuse`. */
export function createRemoteSecrets(tell: (message: FromEngine) => void): RemoteSecrets {
  const waiting = new Map<number, Waiting>()
  const opened = Promise.withResolvers<void>()
  let isUnlocked = false
  let lastId = 0

  function ask(request: (id: number) => FromEngine): Promise<string | Uint8Array> {
    if (!isUnlocked) return Promise.reject(new AppError('secret_unavailable', LOCKED))
    const { promise, resolve, reject } = Promise.withResolvers<string | Uint8Array>()
    lastId += 1
    waiting.set(lastId, { settle: resolve, reject })
    tell(request(lastId))
    return promise
  }

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  return {
    unlocked: opened.promise,
    unlock() {
      isUnlocked = true
      opened.resolve()
    },
    async seal(clear) {
      const sealed = await ask((id) => ({ kind: 'seal', id, clear }))
      if (typeof sealed === 'string') throw new TypeError('main answered a seal with text')
      return sealed
    },
    async unseal(sealed) {
      const clear = await ask((id) => ({ kind: 'unseal', id, sealed: new Uint8Array(sealed) }))
      if (typeof clear !== 'string') throw new TypeError('main answered an unseal with bytes')
      return clear
    },
    answer: (id, value) => take(id)?.settle(value),
    refuse: (id, message) => take(id)?.reject(new Error(message)),
  }
}

type Listener = Parameters<AuthorizationWindow['open']>[1]

/** The authorization window as the engine's process has it: main alone has windows. */
export interface RemoteWindow extends AuthorizationWindow {
  /** What main tells of the window with this id; nothing where it was closed meanwhile. */
  receive(id: number, event: WindowEvent): void
}

export function createRemoteWindow(tell: (message: FromEngine) => void): RemoteWindow {
  const listeners = new Map<number, Listener>()
  let lastId = 0

  return {
    open(wish, on) {
      lastId += 1
      const id = lastId
      listeners.set(id, on)
      tell({ kind: 'open-window', id, ...wish })
      return {
        close() {
          if (listeners.delete(id)) tell({ kind: 'close-window', id })
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
