import { scoped, type Scope, shownScope } from './scope.ts'

/** All deliveries that match a filter, up to a delivery. Later deliveries are not included. */
export interface MatchingFilter {
  readonly filter: string
  readonly upTo: number
}

export interface Selection {
  /** IDs selected one by one. Independent of the loaded rows. */
  readonly ids: ReadonlySet<number>
  /** Set if all deliveries that match a filter are selected; null otherwise. */
  readonly all: MatchingFilter | null
}

interface SelectionState extends Selection {
  /** The start of the next range. */
  readonly anchorId: number | null
  /** Whether the dialog to re-send the selection is open. */
  readonly resendDialogOpen: boolean
}

const none = { ids: new Set<number>(), all: null, anchorId: null, resendDialogOpen: false }

export const useSelection = scoped<SelectionState>(() => none)

export function toggleSelected(id: number): void {
  useSelection.setState(({ ids }) => {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    return { ids: next, all: null, anchorId: id }
  })
}

/** Adds deliveries to the selection. The next range starts at `anchorId`. */
export function select(
  added: Iterable<number>,
  anchorId: number | null,
  scope: Scope = shownScope(),
): void {
  useSelection
    .of(scope)
    .setState(({ ids }) => ({ ids: new Set([...ids, ...added]), all: null, anchorId }))
}

export function selectAllMatching(all: MatchingFilter): void {
  useSelection.setState({ ...none, all })
}

export function clearSelection(): void {
  useSelection.setState(none)
}

export function openResendDialog(): void {
  useSelection.setState({ resendDialogOpen: true })
}

export function closeResendDialog(): void {
  useSelection.setState({ resendDialogOpen: false })
}

export function hasSelection({ ids, all }: Selection): boolean {
  return ids.size > 0 || all !== null
}

export function isSelected({ ids, all }: Selection, id: number): boolean {
  return all === null ? ids.has(id) : id <= all.upTo
}
