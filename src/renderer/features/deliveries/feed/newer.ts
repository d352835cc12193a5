import type { DeliverySummary } from '#contract/models.ts'
import { CallError, sentence } from '#renderer/platform/call-error.ts'
import type { Client } from '#renderer/platform/client.ts'
import { queryOf, useDeliveries } from '../store.ts'

/** Milliseconds between two questions, however much is pushed meanwhile. */
const pace = 200
const rowsAtOnce = 1000
/** So many rows wait for the user to come back to the top; for more, the list begins anew then. */
const heldMost = 5000

interface Followed {
  /** Whether rows may go into the list as they come. */
  readonly live: () => boolean
  /** Whether anybody looks at the list: only then it is followed. */
  readonly watched: () => boolean
  /** Begins the list anew, for want of a better way. */
  readonly restart: () => void
}

/** What arrives and matches a filter of the live list: asked for, since only the engine can tell what matches. */
export interface Follow {
  /** The list began anew and holds all that matches up to this id; null: it is about to. */
  begin(upTo: number | null): void
  /** There may be more. */
  more(): void
  /** The user is back at the top: what waited goes into the list. */
  takeIn(): void
}

export function createFollow(client: Client, { live, watched, restart }: Followed): Follow {
  const { getState: get, setState: set } = useDeliveries.of(null)
  /** Up to this id all that matches is in the list or held; null: there is no list. */
  let after: number | null = null
  let held: DeliverySummary[] = []
  /** Grows with each list: an answer for an older one is not taken. */
  let epoch = 0
  let asking = false
  let resting = false
  let wanted = false

  function more(): void {
    wanted = true
    if (!asking && !resting) void ask()
  }

  async function ask(): Promise<void> {
    if (after === null || held.length > heldMost || !watched()) return
    wanted = false
    asking = true
    const asked = epoch
    let full = false
    try {
      const { search } = get()
      const { rows, upTo } = await client.call('deliveries.newer', {
        log: null,
        filter: queryOf(get()),
        after,
        asOf: search.asOf,
        limit: rowsAtOnce,
      })
      if (asked === epoch) {
        full = rows.length === rowsAtOnce
        // Where an answer looked at a part of it only, the rest is still to be asked for.
        if (upTo > after) wanted = true
        after = Math.max(after, upTo)
        take(rows)
      } else wanted = true
    } catch (error) {
      const lost = error instanceof CallError && error.code === 'connection_lost'
      if (asked === epoch && !lost) set({ phase: 'failed', message: sentence(error) })
    } finally {
      asking = false
    }
    if (full) return more()
    resting = true
    window.setTimeout(() => {
      resting = false
      if (wanted) more()
    }, pace)
  }

  function take(rows: readonly DeliverySummary[]): void {
    if (rows.length === 0) return
    if (live()) put(rows)
    else {
      held = [...held, ...rows]
      set({ waiting: held.length, waitingAtLeast: held.length > heldMost })
    }
  }

  function put(rows: readonly DeliverySummary[]): void {
    const state = get()
    state.rows.prepend(rows, state.selectedId)
    set({ revision: state.revision + 1 })
  }

  return {
    begin(upTo) {
      epoch += 1
      after = upTo
      held = []
      if (upTo !== null) more()
    },
    more,
    takeIn() {
      if (held.length > heldMost) return restart()
      const rows = held
      held = []
      if (rows.length > 0) put(rows)
      set({ waiting: 0, waitingAtLeast: false })
      more()
    },
  }
}
