import { useEffect, useState } from 'react'
import type { BodyViewName, Found } from './body-model.ts'
import type { BodyCalls } from './open-body.ts'

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

/** What a view finds: asks at each change of what is wanted or of the turn, and takes only the answer to the last question. */
export function useFound(calls: BodyCalls, view: BodyViewName, search: Search): Found | null {
  const { wanted, turn, setFound } = search
  const [found, showFound] = useState<Found | null>(null)
  useEffect(() => {
    let current = true
    // Nothing is wanted and nothing was: nothing to ask.
    if (wanted === '' && found === null) return undefined
    calls.call('find', { view, wanted, turn }).then(
      (answer) => {
        if (current) showFound(answer)
      },
      () => undefined,
    )
    return () => {
      current = false
    }
    // What was found before only tells whether there is something to take back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [calls, turn, view, wanted])
  useEffect(() => {
    if (found) setFound(found.found)
  }, [found, setFound])
  return found
}
