import { useCallback, useEffect, useRef, useState } from 'react'
import type { Rows, BodyViewName, Found } from './body-model.ts'
import type { BodyCalls } from './use-body.ts'

/** Extra lines loaded above and below the visible ones, so that scrolling finds them. */
const overscan = 120

/** Reads the lines of a window. Must be a stable function: a different one means different content. */
export type ReadRows<T> = (window: { from: number; to: number }) => Promise<Rows<T>>

interface Held<T> {
  readonly read: ReadRows<T>
  readonly version: number
  readonly from: number
  readonly to: number
  readonly reveal: number | null
  readonly rows: Rows<T>
}

interface Options {
  /** Incremented when the lines change. */
  readonly version: number
  /** The line to bring into view. */
  readonly reveal: number | null
}

/**
 * Loads the lines around the visible ones. The number of lines, the lines and the line to reveal change together once the new lines are loaded.
 * Until then the old ones stay.
 */
export function useRows<T>(read: ReadRows<T>, { version, reveal }: Options) {
  const [held, setHeld] = useState<Held<T> | null>(null)
  const [seen, setSeen] = useState({ from: 0, to: 0 })
  const [busy, setBusy] = useState(false)
  /** A function that failed. It is not called again, to avoid an endless loop. */
  const broken = useRef<ReadRows<T> | null>(null)
  const latest = useRef({ read, version, reveal })
  useEffect(() => {
    latest.current = { read, version, reveal }
  })

  const current = held?.read === read && held.version === version
  const covers =
    current &&
    held.from <= seen.from &&
    (held.to >= seen.to || held.from + held.rows.rows.length >= held.rows.count)
  useEffect(() => {
    // One request at a time. Even a response for an earlier scroll position is useful.
    if (covers || busy || broken.current === read) return
    setBusy(true)
    const window = { from: Math.max(0, seen.from - overscan), to: seen.to + overscan }
    read(window)
      .then((rows) => {
        if (latest.current.read !== read || latest.current.version !== version) return
        setHeld({ read, version, ...window, reveal: latest.current.reveal, rows })
      })
      .catch(() => {
        broken.current = read
      })
      .finally(() => setBusy(false))
  }, [busy, covers, read, seen, version])

  const shown = held?.read === read ? held : null
  const onSeen = useCallback((from: number, to: number): void => setSeen({ from, to }), [])
  return {
    /** False until lines are loaded. */
    ready: shown !== null,
    count: shown?.rows.count ?? 0,
    rowAt: (line: number): T | undefined => shown?.rows.rows[line - shown.from],
    reveal: current ? reveal : (shown?.reveal ?? null),
    onSeen,
  }
}

export type Search = ReturnType<typeof useSearch>

/** The search state shared by the views of a body. Each view finds its own matches and reports their number. */
export function useSearch() {
  const [query, setQuery] = useState('')
  const [matchIndex, setMatchIndex] = useState(0)
  const [found, setFound] = useState(0)
  return {
    query,
    /** The number of the current match, from 0. Wraps around. */
    matchIndex,
    found,
    setQuery: (next: string) => {
      setQuery(next)
      setMatchIndex(0)
    },
    step: (by: number) => setMatchIndex((before) => before + by),
    setFound,
  }
}

/** Searches in a view whenever the text or the current match changes. Ignores outdated responses. */
export function useFound(calls: BodyCalls, view: BodyViewName, search: Search): Found | null {
  const { query, matchIndex, setFound } = search
  const [found, showFound] = useState<Found | null>(null)
  useEffect(() => {
    let current = true
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
