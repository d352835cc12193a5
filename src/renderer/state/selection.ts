import { scoped, type Scope, shownScope } from './scope.ts'

/** All that a filter finds, up to a delivery: those that arrive later are not meant. */
export interface WholeFilter {
  readonly filter: string
  readonly upTo: number
}

export interface Chosen {
  /** Chosen one by one; apart from the rows, which come and go. */
  readonly ids: ReadonlySet<number>
  /** Null: not all of a filter. */
  readonly all: WholeFilter | null
}

interface SelectionState extends Chosen {
  /** Where the next stretch begins. */
  readonly anchorId: number | null
  /** What was chosen is asked about, to be re-sent. */
  readonly asking: boolean
}

const none = { ids: new Set<number>(), all: null, anchorId: null, asking: false }

/** The deliveries that are chosen. */
export const useSelection = scoped<SelectionState>(() => none)

/** Takes one in, or out. */
export function toggleChosen(id: number): void {
  useSelection.setState(({ ids }) => {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    return { ids: next, all: null, anchorId: id }
  })
}

/** Takes these in; the next stretch begins at `anchorId`. */
export function choose(
  added: Iterable<number>,
  anchorId: number | null,
  scope: Scope = shownScope(),
): void {
  useSelection
    .of(scope)
    .setState(({ ids }) => ({ ids: new Set([...ids, ...added]), all: null, anchorId }))
}

export function chooseWhole(all: WholeFilter): void {
  useSelection.setState({ ...none, all })
}

export function chooseNone(): void {
  useSelection.setState(none)
}

export function setAsking(asking: boolean): void {
  useSelection.setState({ asking })
}

/** Whether any is chosen. */
export function hasChosen({ ids, all }: Chosen): boolean {
  return ids.size > 0 || all !== null
}

/** Whether this one is chosen. */
export function isChosen({ ids, all }: Chosen, id: number): boolean {
  return all === null ? ids.has(id) : id <= all.upTo
}
