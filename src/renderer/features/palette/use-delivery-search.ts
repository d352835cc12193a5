import { searchTermsOf } from '../../ui/text/search-terms.ts'
import { useEffect, useState } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import type { Scope } from '../../state/scope.ts'
import { deliveriesOf } from '../../state/deliveries.ts'
import { filterFault } from '../../state/filter.ts'
import { matchesTerms, filterOf, isDeliveryId, numberIn } from './query.ts'

/** How many of the newest deliveries are searched in the interface while the engine searches. */
const newestCount = 50
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
  const [recent, setRecent] = useState<readonly DeliverySummary[]>(() => loadedRows(log))
  const [result, setResult] = useState<SearchResult & { readonly query: string }>({
    ...noResult,
    query: '',
  })
  useEffect(() => {
    let current = true
    client
      .call('deliveries.page', { log, upTo: null, offset: 0, limit: newestCount })
      .then(({ rows }) => current && setRecent(rows), ignore)
    return () => {
      current = false
    }
  }, [client, log])

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

  if (text === '')
    return { rows: recent.slice(0, maxWithoutQuery), searching: false, complete: true }
  const finished = result.query === text
  const words = searchTermsOf(text)
  const matching = recent.filter((row) => matchesTerms(words, row))
  // An ID identifies one delivery, so similar matches are not wanted.
  const local = isDeliveryId(text) ? matching.filter(({ id }) => id === numberIn(text)) : matching
  const all = new Map([...local, ...(finished ? result.rows : [])].map((row) => [row.id, row]))
  const rows = [...all.values()].toSorted(
    (a, b) => rankOf(text, b) - rankOf(text, a) || b.id - a.id,
  )
  return {
    rows: rows.slice(0, maxResults),
    searching: !finished,
    complete: !finished || result.complete,
  }
}

/** A delivery with the entered number comes before deliveries that contain it. */
function rankOf(text: string, { id }: DeliverySummary): number {
  return id === numberIn(text) ? 1 : 0
}

function loadedRows(log: Scope): readonly DeliverySummary[] {
  const { rows, filter } = deliveriesOf(log).getState()
  if (filter !== '') return []
  return Array.from({ length: newestCount }, (_, index) => rows.rowAt(index)).filter(
    (row) => row !== null,
  )
}

async function searchEngine(
  client: Client,
  log: Scope,
  text: string,
  search: { readonly current: boolean },
): Promise<SearchResult> {
  const id = numberIn(text)
  const byNumber =
    id === null ? [] : await client.call('deliveries.get', { id, log }).then((row) => [row], none)
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

function none(): readonly DeliverySummary[] {
  return []
}

function ignore(): void {
  // The palette also works without deliveries.
}
