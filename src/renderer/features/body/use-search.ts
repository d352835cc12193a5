import { useEffect, useState } from 'react'

/** A search within the body, shared by the views: each finds its own hits and tells how many. */
export interface Search {
  readonly wanted: string
  /** Which hit is shown, from 0; runs round. */
  readonly turn: number
  readonly found: number
  readonly setWanted: (wanted: string) => void
  readonly step: (by: number) => void
  readonly setFound: (found: number) => void
}

export function useSearch(): Search {
  const [wanted, setWanted] = useState('')
  const [turn, setTurn] = useState(0)
  const [found, setFound] = useState(0)
  return {
    wanted,
    turn,
    found,
    setWanted: (next) => {
      setWanted(next)
      setTurn(0)
    },
    step: (by) => setTurn((before) => before + by),
    setFound,
  }
}

/** Reports a view's hits (null: still looking) and gives the one to show, or null. */
export function useHits(search: Search, hits: readonly number[] | null): number | null {
  const { setFound, turn } = search
  useEffect(() => {
    if (hits !== null) setFound(hits.length)
  }, [hits, setFound])
  if (hits === null || hits.length === 0) return null
  return hits[((turn % hits.length) + hits.length) % hits.length] ?? null
}
