import { create } from 'zustand'
import type { AttemptSummary } from '#contract/sending.ts'
import { scoped, type Scope, shownScope } from '../../state/scope.ts'

interface Sending {
  /** The key to cancel it with. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface AttemptsState {
  /** The attempts pushed last. `gap`: some attempts were not pushed. */
  readonly made: { readonly rows: readonly AttemptSummary[]; readonly gap: boolean }
  /** The newest pushed ID; 0 if none yet. */
  readonly newestId: number
  readonly sending: ReadonlyMap<number, Sending>
  /** The delivery in the re-send dialog; null if closed. */
  readonly dialogFor: number | null
}

export const useAttemptsStore = create<AttemptsState>(() => ({
  made: { rows: [], gap: false },
  newestId: 0,
  sending: new Map(),
  dialogFor: null,
}))

/** Handles pushed attempts, oldest first. */
export function addAttempts(rows: readonly AttemptSummary[]): void {
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

/** The owner of the attempts. */
export interface AttemptsOf {
  readonly deliveryId?: number | undefined
  readonly draftId?: number | undefined
  readonly jobId?: number | undefined
}

/** Whether there are attempts between the newest known one and these. */
export function skipped(newestId: number, rows: readonly Pick<AttemptSummary, 'id'>[]): boolean {
  let before = newestId
  for (const { id } of rows) {
    if (before > 0 && id > before + 1) return true
    before = Math.max(before, id)
  }
  return false
}

export function concerns(rows: readonly AttemptSummary[], of: AttemptsOf): boolean {
  return rows.some(
    (row) =>
      (of.deliveryId === undefined || row.deliveryId === of.deliveryId) &&
      (of.draftId === undefined || row.draftId === of.draftId) &&
      (of.jobId === undefined || row.jobId === of.jobId),
  )
}

/** Adds the newest page above the loaded attempts. If they do not overlap, attempts in between would be missing, so only the page is returned. */
export function withNewest(
  held: readonly AttemptSummary[],
  page: readonly AttemptSummary[],
): AttemptSummary[] {
  const last = page.at(-1)
  if (last === undefined) return []
  const overlaps = held.some(({ id }) => id >= last.id)
  return overlaps ? [...page, ...held.filter(({ id }) => id < last.id)] : [...page]
}

export function withOlder(
  held: readonly AttemptSummary[],
  page: readonly AttemptSummary[],
): AttemptSummary[] {
  const last = held.at(-1)?.id ?? Number.POSITIVE_INFINITY
  return [...held, ...page.filter(({ id }) => id < last)]
}
