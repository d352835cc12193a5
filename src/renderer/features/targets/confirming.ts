import { create } from 'zustand'
import { CallError } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'

interface Asking {
  readonly origin: string
  readonly answer: (yes: boolean) => void
}

interface TargetsState {
  /** What the user is being asked about. */
  readonly asking: Asking | null
}

export const useTargets = create<TargetsState>(() => ({ asking: null }))

/**
 * Does what may send to a target for the first time. One that is neither here nor in a private network is asked about once; what was
 * allowed is kept, and the work done again. Null: the user said no. Rejects as `work` does.
 */
export async function confirming<T>(client: Client, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const origin = unconfirmedOrigin(error)
    if (origin === null) throw error
    if (!(await ask(origin))) return null
    await client.call('targets.set', { url: origin, confirmed: true })
    return work()
  }
}

/** The target that nobody has confirmed yet, where this is what the error says. */
export function unconfirmedOrigin(error: unknown): string | null {
  if (!(error instanceof CallError) || error.code !== 'target_unconfirmed') return null
  const origin = error.details?.['origin']
  return typeof origin === 'string' ? origin : null
}

function ask(origin: string): Promise<boolean> {
  // One question at a time: the one before is answered with no.
  useTargets.getState().asking?.answer(false)
  return new Promise((resolve) => {
    const asking: Asking = {
      origin,
      answer(yes) {
        useTargets.setState((state) => (state.asking === asking ? { asking: null } : state))
        resolve(yes)
      },
    }
    useTargets.setState({ asking })
  })
}
