import { createContext, useCallback, useEffect, useMemo, useState } from 'react'
import type { HeldBack } from '#contract/authorization.ts'
import { sentence } from '../../platform/call-error.ts'

/** Milliseconds for which a value stays on the screen. */
const shownFor = 30_000

/** The values that one record holds back, and the one of them that is shown now. */
export interface Masks {
  readonly find: (name: string) => HeldBack | undefined
  /** Null while all are hidden. */
  readonly shown: { readonly name: string; readonly value: string } | null
  /** Why the last one could not be shown. */
  readonly error: string | null
  readonly toggle: (name: string) => void
}

/** Null: what is drawn below holds nothing back, and a marker in it is text like any other. */
export const MaskContext = createContext<Masks | null>(null)

/**
 * Shows what a record holds back, one value at a time: fetched by `reveal` at a click, gone after 30 s or when the window is left.
 * Kept nowhere else. `reveal` must be a stable function.
 */
export function useMasks(
  heldBack: readonly HeldBack[],
  reveal: (name: string) => Promise<string>,
): Masks {
  const [shown, setShown] = useState<Masks['shown']>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    if (shown === null) return undefined
    const hide = (): void => setShown(null)
    const timer = setTimeout(hide, shownFor)
    window.addEventListener('blur', hide)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hide)
    }
  }, [shown])
  const shownName = shown?.name
  const toggle = useCallback(
    (name: string) => {
      setShown(null)
      setError(null)
      if (name === shownName) return
      reveal(name).then(
        (value) => setShown({ name, value }),
        (reason: unknown) => setError(sentence(reason)),
      )
    },
    [reveal, shownName],
  )
  return useMemo(
    () => ({ find: (name) => heldBack.find((held) => held.name === name), shown, error, toggle }),
    [heldBack, shown, error, toggle],
  )
}
