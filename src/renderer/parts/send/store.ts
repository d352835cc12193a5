import { create } from 'zustand'
import { scoped, type Scope, shownScope, useLog } from '#client/state/scope.ts'
import type { CallOutput } from '#contract/calls.ts'
import { type Loaded } from '#kit/use-action.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'

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

/** How many attempts are listed. The maximum that the contract allows. */
const limit = 500
const refreshEvery = 500
/** A skipped forward changes the delivery without creating an attempt. */
const pushes = ['attempts.made', 'deliveries.changed'] as const

/** The newest attempts of a delivery or draft, newest first. */
export type AttemptsListed = CallOutput<'attempts.list'>

export interface AttemptsSource {
  readonly state: Loaded<AttemptsListed>
  readonly reload: () => void
}

/** The attempts of a delivery or draft, kept up to date. */
export function useAttempts(of: {
  readonly deliveryId?: number
  readonly draftId?: number
}): AttemptsSource {
  const log = useLog()
  const { state, reload } = useQuery('attempts.list', { log, ...of, limit })
  useRefresh(log, pushes, refreshEvery, reload)
  return { state, reload }
}
