import { useEffect, useState } from 'react'
import type { BodyViewName, Found } from './body-model.ts'
import type { BodyCalls } from './use-body.ts'

/** The search state shared by the views of a body. Each view finds its own matches and reports their number. */
export interface Search {
  readonly query: string
  /** The number of the current match, from 0. Wraps around. */
  readonly matchIndex: number
  readonly found: number
  readonly setQuery: (query: string) => void
  readonly step: (by: number) => void
  readonly setFound: (found: number) => void
}

export function useSearch(): Search {
  const [query, setQuery] = useState('')
  const [matchIndex, setMatchIndex] = useState(0)
  const [found, setFound] = useState(0)
  return {
    query,
    matchIndex,
    found,
    setQuery: (next) => {
      setQuery(next)
      setMatchIndex(0)
    },
    step: (by) => setMatchIndex((before) => before + by),
    setFound,
  }
}

/** Searches in a view whenever the text or the current match changes. Ignores outdated responses. */
export function useFound(calls: BodyCalls, view: BodyViewName, search: Search): Found | null {
  const { query, matchIndex, setFound } = search
  const [found, showFound] = useState<Found | null>(null)
  useEffect(() => {
    let current = true
    // No search, and no earlier match to reset.
    if (query === '' && found === null) return undefined
    calls.call('find', { view, query, matchIndex }).then(
      (response) => {
        if (current) showFound(response)
      },
      () => undefined,
    )
    return () => {
      current = false
    }
    // `found` only tells whether there is an earlier match to reset.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [calls, matchIndex, view, query])
  useEffect(() => {
    if (found) setFound(found.found)
  }, [found, setFound])
  return found
}
