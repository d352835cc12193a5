import { create } from 'zustand'
import { CallError } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'

/** Where deliveries would go: to a target outside of this network, or through a public tunnel server. */
interface Question {
  readonly kind: 'target' | 'server'
  readonly origin: string
}

interface Asking extends Question {
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
    return (await confirmTarget(client, origin)) ? work() : null
  }
}

/** The target that nobody has confirmed yet, where this is what the error says. */
export function unconfirmedOrigin(error: unknown): string | null {
  return addressIn(error, 'target_unconfirmed', 'origin')
}

/** The public tunnel server that nobody has confirmed yet, where this is what the error says. */
export function unconfirmedServer(error: unknown): string | null {
  return addressIn(error, 'server_unconfirmed', 'server')
}

function addressIn(error: unknown, code: string, detail: string): string | null {
  if (!(error instanceof CallError) || error.code !== code) return null
  const address = error.details?.[detail]
  return typeof address === 'string' ? address : null
}

/** Asks whether deliveries may be sent there, and keeps the yes. */
export async function confirmTarget(client: Client, origin: string): Promise<boolean> {
  const yes = await ask({ kind: 'target', origin })
  if (yes) await client.call('targets.set', { url: origin, confirmed: true })
  return yes
}

/** Asks whether a public tunnel server may be used. */
export function confirmServer(server: string): Promise<boolean> {
  return ask({ kind: 'server', origin: server })
}

/** What is being asked is answered with no. */
export function withdrawQuestion(): void {
  useTargets.getState().asking?.answer(false)
}

function ask(question: Question): Promise<boolean> {
  // One question at a time.
  withdrawQuestion()
  return new Promise((resolve) => {
    const asking: Asking = {
      ...question,
      answer(yes) {
        useTargets.setState((state) => (state.asking === asking ? { asking: null } : state))
        resolve(yes)
      },
    }
    useTargets.setState({ asking })
  })
}
