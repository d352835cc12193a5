import { useCallback, useEffect, useRef, useState } from 'react'
import type { Rows } from './body-model.ts'

/** Lines had beyond each edge of what is seen: a scroll finds them there. */
const beyond = 120

/** Gives the lines of a window. Must be stable: another function gives another content. */
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
  /** Grows when the same lines read differently. */
  readonly version: number
  /** The line to bring into view. */
  readonly reveal: number | null
}

/**
 * The lines around what is seen of a content that is elsewhere. How many there are, the lines themselves and the line to reveal change
 * in one step, when the new ones are here; until then the old ones stay.
 */
export function useRows<T>(read: ReadRows<T>, { version, reveal }: Options) {
  const [held, setHeld] = useState<Held<T> | null>(null)
  const [seen, setSeen] = useState({ from: 0, to: 0 })
  const [busy, setBusy] = useState(false)
  /** What cannot be read: asking on would go round for ever. */
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
    // One at a time: the answer to a question asked in the middle of a scroll is better than none.
    if (covers || busy || broken.current === read) return
    setBusy(true)
    const window = { from: Math.max(0, seen.from - beyond), to: seen.to + beyond }
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
    /** False: nothing is here yet. */
    ready: shown !== null,
    count: shown?.rows.count ?? 0,
    rowAt: (line: number): T | undefined => shown?.rows.rows[line - shown.from],
    reveal: current ? reveal : (shown?.reveal ?? null),
    onSeen,
  }
}
