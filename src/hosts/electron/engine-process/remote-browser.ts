import type { FromEngine } from '../engine/messages.ts'

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
