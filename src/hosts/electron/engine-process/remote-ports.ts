import type { FromEngine, WindowEvent } from '../engine/messages.ts'
import type { FileDialogs, SecretBox, AuthorizationWindow } from '#engine/platform/ports.ts'
import { AppError } from '#engine/platform/errors.ts'

/** Opens the system's browser for the engine process, through main. */
export interface RemoteBrowser {
  /** Returns false if the URL is not an HTTP or HTTPS URL, or no browser could be opened. */
  open(url: string): Promise<boolean>
  resolve(id: number, opened: boolean): void
}

export function createRemoteBrowser(send: (message: FromEngine) => void): RemoteBrowser {
  const pending = new Map<number, (opened: boolean) => void>()
  let lastId = 0
  return {
    async open(url) {
      lastId += 1
      const { promise, resolve } = Promise.withResolvers<boolean>()
      pending.set(lastId, resolve)
      send({ kind: 'open-external', id: lastId, url })
      return promise
    },
    resolve(id, opened) {
      pending.get(id)?.(opened)
      pending.delete(id)
    },
  }
}

/** File dialogs for the engine process, shown by main. */
export interface RemoteDialogs extends FileDialogs {
  resolve(id: number, path: string | null): void
}

export function createRemoteDialogs(send: (message: FromEngine) => void): RemoteDialogs {
  const pending = new Map<number, (path: string | null) => void>()
  let lastId = 0
  const sendRequest = async (message: (id: number) => FromEngine): Promise<string | null> => {
    lastId += 1
    const { promise, resolve } = Promise.withResolvers<string | null>()
    pending.set(lastId, resolve)
    send(message(lastId))
    return promise
  }
  return {
    save: (name) => sendRequest((id) => ({ kind: 'choose-save-path', id, name })),
    open: () => sendRequest((id) => ({ kind: 'choose-open-path', id })),
    resolve(id, path) {
      pending.get(id)?.(path)
      pending.delete(id)
    },
  }
}

/**
 * Secret box for the engine process: passes each request to main, which alone has `safeStorage`. Until `unlock`, requests are refused rather than queued: the
 * keyring may be waiting for the user, and callers must not wait for that.
 */
export interface RemoteSecrets extends SecretBox {
  readonly unlocked: Promise<void>
  /** The system's secret store has responded to main. */
  unlock(): void
  resolve(id: number, value: string | Uint8Array): void
  reject(id: number, message: string): void
}

const LOCKED = "The system's keyring is locked. Unlock it, then try again."

interface PendingRequest {
  settle(value: string | Uint8Array): void
  reject(error: Error): void
}

/** `send` sends a request to main; its responses arrive through `resolve` and `reject`. */
export function createRemoteSecrets(send: (message: FromEngine) => void): RemoteSecrets {
  const pending = new Map<number, PendingRequest>()
  const opened = Promise.withResolvers<void>()
  let isUnlocked = false
  let lastId = 0

  function sendRequest(request: (id: number) => FromEngine): Promise<string | Uint8Array> {
    if (!isUnlocked) return Promise.reject(new AppError('secret_unavailable', LOCKED))
    const { promise, resolve, reject } = Promise.withResolvers<string | Uint8Array>()
    lastId += 1
    pending.set(lastId, { settle: resolve, reject })
    send(request(lastId))
    return promise
  }

  function takePending(id: number): PendingRequest | undefined {
    const found = pending.get(id)
    pending.delete(id)
    return found
  }

  return {
    unlocked: opened.promise,
    unlock() {
      isUnlocked = true
      opened.resolve()
    },
    async seal(clear) {
      const sealed = await sendRequest((id) => ({ kind: 'seal', id, clear }))
      if (typeof sealed === 'string')
        throw new TypeError('main responded to a seal request with text')
      return sealed
    },
    async unseal(sealed) {
      const clear = await sendRequest((id) => ({
        kind: 'unseal',
        id,
        sealed: new Uint8Array(sealed),
      }))
      if (typeof clear !== 'string')
        throw new TypeError('main responded to an unseal request with bytes')
      return clear
    },
    resolve: (id, value) => takePending(id)?.settle(value),
    reject: (id, message) => takePending(id)?.reject(new Error(message)),
  }
}

type Listener = Parameters<AuthorizationWindow['open']>[1]

/** Authorization windows for the engine process, opened by main. */
export interface RemoteWindow extends AuthorizationWindow {
  /** Passes on an event from main for the window with this ID. Does nothing if the window was closed meanwhile. */
  receive(id: number, event: WindowEvent): void
}

export function createRemoteWindow(send: (message: FromEngine) => void): RemoteWindow {
  const listeners = new Map<number, Listener>()
  let lastId = 0

  return {
    open(request, on) {
      lastId += 1
      const id = lastId
      listeners.set(id, on)
      send({ kind: 'open-window', id, ...request })
      return {
        close() {
          if (listeners.delete(id)) send({ kind: 'close-window', id })
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
