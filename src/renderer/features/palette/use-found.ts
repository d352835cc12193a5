import { searchTermsOf } from '../../ui/text/search-terms.ts'
import { useEffect, useState } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import type { Scope } from '../../state/scope.ts'
import { deliveriesOf } from '../../state/deliveries.ts'
import { filterFault } from '../../state/filter.ts'
import { filterOf, matchableOf, meansOne, numberIn } from './look-for.ts'
import { ranked } from './match.ts'

/** How many of the newest are looked through here, before the engine is asked. */
const newest = 50
/** Rows that are shown, with and without something to look for. */
const shownFound = 8
const shownNewest = 5
/** Milliseconds after the last key. */
const pause = 120
/** A search goes on in steps of some 30 ms. After so many it is given up: the filter is the place for what lies deeper. */
const mostSteps = 60

export interface Found {
  readonly rows: readonly DeliverySummary[]
  /** The engine is still looking. */
  readonly looking: boolean
  /** It did not give up before the end. */
  readonly whole: boolean
}

interface Answer {
  readonly rows: readonly DeliverySummary[]
  readonly whole: boolean
}
const noAnswer: Answer = { rows: [], whole: true }

/** Deliveries of a scope that fit what was typed, newest first; with nothing typed the newest. */
export function useFound(query: string, log: Scope): Found {
  const client = useClient()
  const [recent, setRecent] = useState<readonly DeliverySummary[]>(() => known(log))
  const [answer, setAnswer] = useState<Answer & { readonly query: string }>({
    ...noAnswer,
    query: '',
  })
  useEffect(() => {
    let current = true
    client
      .call('deliveries.page', { log, upTo: null, offset: 0, limit: newest })
      .then(({ rows }) => current && setRecent(rows), nothing)
    return () => {
      current = false
    }
  }, [client, log])

  const text = query.trim()
  useEffect(() => {
    if (text === '') return undefined
    const search = { current: true }
    const timer = setTimeout(() => {
      look(client, log, text, search).then(
        (found) => search.current && setAnswer({ ...found, query: text }),
        // What the engine refuses to look for is simply not found.
        () => search.current && setAnswer({ ...noAnswer, query: text }),
      )
    }, pause)
    return () => {
      search.current = false
      clearTimeout(timer)
    }
  }, [client, log, text])

  if (text === '') return { rows: recent.slice(0, shownNewest), looking: false, whole: true }
  const answered = answer.query === text
  const here = ranked(
    searchTermsOf(text),
    recent.map((row) => ({ ...matchableOf(row), row })),
  ).map(({ thing }) => thing.row)
  // An id means one: what merely looks like it is not wanted.
  const local = meansOne(text) ? here.filter(({ id }) => id === numberIn(text)) : here
  const all = new Map([...local, ...(answered ? answer.rows : [])].map((row) => [row.id, row]))
  const rows = [...all.values()].toSorted(
    (one, other) => rankOf(text, other) - rankOf(text, one) || other.id - one.id,
  )
  return {
    rows: rows.slice(0, shownFound),
    looking: !answered,
    whole: !answered || answer.whole,
  }
}

/** The one whose number was written comes before those in which it is found. */
function rankOf(text: string, { id }: DeliverySummary): number {
  return id === numberIn(text) ? 1 : 0
}

function known(log: Scope): readonly DeliverySummary[] {
  const { rows, filter } = deliveriesOf(log).getState()
  if (filter !== '') return []
  return Array.from({ length: newest }, (_, index) => rows.rowAt(index)).filter(
    (row) => row !== null,
  )
}

async function look(
  client: Client,
  log: Scope,
  text: string,
  search: { readonly current: boolean },
): Promise<Answer> {
  const id = numberIn(text)
  const one = id === null ? [] : await client.call('deliveries.get', { id, log }).then(only, none)
  const filter = filterOf(text)
  if (filter === '' || (id !== null && meansOne(text)) || filterFault(filter) !== null) {
    return { rows: one, whole: true }
  }
  let upTo: number | null = null
  let asOf: number | null = null
  let found: readonly DeliverySummary[] = []
  let whole = false
  for (let step = 0; step < mostSteps && search.current; step++) {
    const page: PageAnswer = await client.call('deliveries.page', {
      log,
      filter,
      upTo,
      asOf,
      offset: 0,
      limit: shownFound,
    })
    ;({ upTo, asOf } = page)
    found = page.rows
    whole = page.complete || found.length === shownFound
    if (whole) break
  }
  return { rows: [...one, ...found], whole }
}

interface PageAnswer {
  readonly rows: readonly DeliverySummary[]
  readonly complete: boolean
  readonly upTo: number
  readonly asOf: number
}

function only(row: DeliverySummary): readonly DeliverySummary[] {
  return [row]
}

function none(): readonly DeliverySummary[] {
  return []
}

function nothing(): void {
  // The palette is of use without deliveries, too.
}
