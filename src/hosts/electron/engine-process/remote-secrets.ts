import { AppError } from '#engine/errors.ts'
import type { SecretBox } from '#engine/ports.ts'
import type { FromEngine } from '../engine/messages.ts'

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
