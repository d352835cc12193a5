import type { UpdateState } from '#contract/desktop.ts'
import type { SystemPort } from '#engine/ports.ts'
import { AppError } from '#engine/errors.ts'
import type { FromEngine, SystemAnswer, SystemFacts, SystemRequest } from '../engine/messages.ts'

/** The system as the engine's process has it: main alone can do what is asked of it. */
export interface RemoteSystem extends SystemPort {
  answer(id: number, answer: SystemAnswer): void
  /** Main tells of each change. */
  updateChanged(state: UpdateState): void
}

/** `facts` are told once, when the engine is opened. */
export function createRemoteSystem(
  facts: SystemFacts,
  tell: (message: FromEngine) => void,
): RemoteSystem {
  const waiting = new Map<number, (answer: SystemAnswer) => void>()
  const listeners: ((state: UpdateState) => void)[] = []
  let state: UpdateState = facts.update
  let lastId = 0

  async function ask(wish: SystemRequest): Promise<SystemAnswer> {
    lastId += 1
    const { promise, resolve } = Promise.withResolvers<SystemAnswer>()
    waiting.set(lastId, resolve)
    tell({ kind: 'ask-system', id: lastId, wish })
    const answer = await promise
    if (answer.refused !== null) throw new AppError('bad_input', answer.refused)
    return answer
  }

  return {
    versions: () => facts.versions,
    logFile: facts.logFile,
    showLogs: async () => (await ask('show-logs')).refused === null,
    copyText: async (text) => (await ask({ copy: text })).refused === null,
    updates: {
      state: () => state,
      onChange: (listener) => void listeners.push(listener),
      async check() {
        await ask('check-update')
        return state
      },
      async download() {
        await ask('download-update')
        return state
      },
      async install() {
        await ask('install-update')
      },
    },
    answer(id, answer) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
    updateChanged(changed) {
      state = changed
      for (const listener of listeners) listener(changed)
    },
  }
}
