import { create } from 'zustand'
import { scoped, type Scope, shownScope } from '#client/state/scope.ts'

interface Sending {
  /** The key to cancel it with. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface AttemptsState {
  readonly sending: ReadonlyMap<number, Sending>
  /** The delivery in the re-send dialog; null if closed. */
  readonly dialogFor: number | null
}

export const useAttemptsStore = create<AttemptsState>(() => ({
  sending: new Map(),
  dialogFor: null,
}))

export function setSending(deliveryId: number, sending: Sending | null): void {
  useAttemptsStore.setState((state) => {
    const next = new Map(state.sending)
    if (sending === null) next.delete(deliveryId)
    else next.set(deliveryId, sending)
    return { sending: next }
  })
}

/** The selected attempt; null for the newest of the open delivery. Kept per scope. */
export const useSelectedAttempt = scoped<{ readonly selectedId: number | null }>(() => ({
  selectedId: null,
}))

export function selectAttempt(selectedId: number | null, scope: Scope = shownScope()): void {
  useSelectedAttempt.of(scope).setState({ selectedId })
}

export function askWhereTo(dialogFor: number | null): void {
  useAttemptsStore.setState({ dialogFor })
}
