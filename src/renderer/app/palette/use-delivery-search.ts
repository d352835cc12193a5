import { useEffect, useState } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { Client } from '#client/client.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import type { Scope } from '#client/state/scope.ts'
import { filterFault } from '#client/state/filter.ts'
import { filterOf, isDeliveryId, numberIn } from './query.ts'

/** How many rows are shown with and without a query. */
const maxResults = 8
const maxWithoutQuery = 5
/** How long to wait after the last key press, in milliseconds. */
const debounce = 120
/** A search runs in steps of about 30 ms and stops after this many. To search all deliveries, the user can filter them. */
const maxSteps = 60

export interface DeliverySearch {
  readonly rows: readonly DeliverySummary[]
  readonly searching: boolean
  /** Whether all deliveries were searched, or enough were found. */
  readonly complete: boolean
}

type SearchResult = Pick<DeliverySearch, 'rows' | 'complete'>
const noResult: SearchResult = { rows: [], complete: true }

/** The deliveries of a scope that match the query, newest first. Without a query, the newest deliveries. */
export function useDeliverySearch(query: string, log: Scope): DeliverySearch {
  const client = useClient()
  const newest = useQuery('deliveries.page', { log, upTo: null, offset: 0, limit: maxWithoutQuery })
  const [result, setResult] = useState<SearchResult & { readonly query: string }>({
    ...noResult,
    query: '',
  })

  const text = query.trim()
  useEffect(() => {
    if (text === '') return undefined
    const search = { current: true }
    const timer = setTimeout(() => {
      searchEngine(client, log, text, search).then(
        (found) => search.current && setResult({ ...found, query: text }),
        // What the engine refuses to search for is simply not found.
        () => search.current && setResult({ ...noResult, query: text }),
      )
    }, debounce)
    return () => {
      search.current = false
      clearTimeout(timer)
    }
  }, [client, log, text])

  if (text === '') {
    const { state } = newest
    return {
      ...noResult,
      ...(state.phase === 'ready' && { rows: state.value.rows }),
      searching: false,
    }
  }
  const finished = result.query === text
  // The delivery with the entered number may also contain it.
  const all = new Map((finished ? result.rows : []).map((row) => [row.id, row]))
  return {
    rows: [...all.values()].slice(0, maxResults),
    searching: !finished,
    complete: !finished || result.complete,
  }
}

async function searchEngine(
  client: Client,
  log: Scope,
  text: string,
  search: { readonly current: boolean },
): Promise<SearchResult> {
  const id = numberIn(text)
  const byNumber =
    id === null
      ? []
      : await client.call('deliveries.get', { id, log }).then(
          (row) => [row],
          () => [],
        )
  const filter = filterOf(text)
  if (filter === '' || (id !== null && isDeliveryId(text)) || filterFault(filter) !== null) {
    return { rows: byNumber, complete: true }
  }
  let upTo: number | null = null
  let asOf: number | null = null
  let found: readonly DeliverySummary[] = []
  let complete = false
  for (let step = 0; step < maxSteps && search.current; step++) {
    const page: CallOutput<'deliveries.page'> = await client.call('deliveries.page', {
      log,
      filter,
      upTo,
      asOf,
      offset: 0,
      limit: maxResults,
    })
    ;({ upTo, asOf } = page)
    found = page.rows
    complete = page.complete || found.length === maxResults
    if (complete) break
  }
  return { rows: [...byNumber, ...found], complete }
}
