import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApiSummary } from '#contract/api.ts'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { useConsole } from './store.ts'

const pageSize = 50

interface HistoryPages {
  /** Newest first; null until the first page came. */
  readonly rows: readonly ApiSummary[] | null
  /** True when there are earlier ones. */
  readonly more: boolean
  readonly busy: boolean
  readonly error: string | null
  readonly loadMore: () => void
  readonly reload: () => void
}

interface Held {
  readonly rows: readonly ApiSummary[] | null
  readonly more: boolean
  readonly error: string | null
}

/** The requests of an integration, a page at a time; fresh whenever the engine says that they changed. */
export function useHistory(integrationId: number): HistoryPages {
  const client = useClient()
  const turn = useConsole((state) => state.historyTurn)
  const [held, setHeld] = useState<Held>({ rows: null, more: false, error: null })
  const [busy, setBusy] = useState(false)
  const latest = useRef(0)

  const load = useCallback(
    (before: number | undefined) => {
      const ticket = (latest.current += 1)
      client
        .call('api.history', {
          integrationId,
          limit: pageSize,
          ...(before === undefined ? {} : { before }),
        })
        .then(
          (page) => {
            if (ticket !== latest.current) return
            setBusy(false)
            setHeld(({ rows, more }) => ({
              ...mergePage({ rows: rows ?? [], more }, page, pageSize, before),
              error: null,
            }))
          },
          (reason: unknown) => {
            if (ticket !== latest.current) return
            setBusy(false)
            setHeld((known) => ({ ...known, error: sentence(reason) }))
          },
        )
    },
    [client, integrationId],
  )
  useEffect(() => {
    // Zero is before the first change: asked for anew with each.
    if (turn >= 0) load(undefined)
    return client.onConnection((state) => {
      if (state.phase === 'connected') load(undefined)
    })
  }, [client, load, turn])

  return {
    ...held,
    busy,
    reload: () => load(undefined),
    loadMore: () => {
      setBusy(true)
      load(held.rows?.at(-1)?.id)
    },
  }
}

interface Pages<T> {
  /** Newest first. */
  readonly rows: readonly T[]
  /** True when there are earlier ones. */
  readonly more: boolean
}

/**
 * What is known of a list that is fetched a page at a time, after one more `page` came: the one below `before`, or the first one anew.
 * What lay below a first page stays when the page joins on to it; else it is asked for again.
 */
export function mergePage<T extends { readonly id: number }>(
  known: Pages<T>,
  page: readonly T[],
  pageSize: number,
  before: number | undefined,
): Pages<T> {
  const full = page.length === pageSize
  if (before !== undefined) {
    return { rows: [...known.rows.filter(({ id }) => id >= before), ...page], more: full }
  }
  const last = page.at(-1)
  const joins = full && last !== undefined && known.rows.some(({ id }) => id === last.id)
  if (!joins) return { rows: page, more: full }
  return { rows: [...page, ...known.rows.filter(({ id }) => id < last.id)], more: known.more }
}
