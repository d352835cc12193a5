import type { FileDialogs } from '#engine/ports.ts'
import type { FromEngine } from '../engine/messages.ts'

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
