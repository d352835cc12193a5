import { create } from 'zustand'
import type { AttemptSummary } from '#contract/sending.ts'
import { scoped, type Scope, shownScope } from '../../state/scope.ts'
import { skipped } from './pages.ts'

interface Sending {
  /** To cancel it by. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface AttemptsState {
  /** What was told last. `gap`: there are more, which were not. */
  readonly made: { readonly rows: readonly AttemptSummary[]; readonly gap: boolean }
  /** The newest that was told of; 0: none yet. */
  readonly newestId: number
  /** Deliveries that are being sent again now. */
  readonly sending: ReadonlyMap<number, Sending>
  /** The delivery that the dialog "Send again to" is about. */
  readonly dialogFor: number | null
}

export const useAttemptsStore = create<AttemptsState>(() => ({
  made: { rows: [], gap: false },
  newestId: 0,
  sending: new Map(),
  dialogFor: null,
}))

/** Takes a push: attempts that were made, oldest first. */
export function takeMade(rows: readonly AttemptSummary[]): void {
  useAttemptsStore.setState(({ newestId }) => ({
    made: { rows, gap: skipped(newestId, rows) },
    newestId: Math.max(newestId, rows.at(-1)?.id ?? 0),
  }))
}

export function setSending(deliveryId: number, sending: Sending | null): void {
  useAttemptsStore.setState((state) => {
    const next = new Map(state.sending)
    if (sending === null) next.delete(deliveryId)
    else next.set(deliveryId, sending)
    return { sending: next }
  })
}

/** The attempt that was asked to be shown; null: the newest of the delivery that is open. Of each scope its own. */
export const useChosenAttempt = scoped<{ readonly chosenId: number | null }>(() => ({
  chosenId: null,
}))

export function chooseAttempt(chosenId: number | null, scope: Scope = shownScope()): void {
  useChosenAttempt.of(scope).setState({ chosenId })
}

export function askWhereTo(dialogFor: number | null): void {
  useAttemptsStore.setState({ dialogFor })
}
