import { useState } from 'react'

/** Any thrown value as a sentence to show. A text is one already. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  // Thrown by JavaScript or the browser, for programmers.
  const isForeign =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  return error instanceof Error && !isForeign
    ? error.message
    : 'Something went wrong on this page. Reload it, and try again.'
}

export type Loaded<T> =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly value: T }
  | { readonly phase: 'failed'; readonly message: string }

/** A user action, with its busy state and the error of the last run. */
export interface Action<A extends readonly unknown[] = []> {
  readonly start: (...args: A) => void
  readonly busy: boolean
  readonly error: unknown
  /** The error as a sentence; null if there is none. */
  readonly message: string | null
  readonly reset: () => void
}

export function useAction<A extends readonly unknown[]>(
  run: (...args: A) => Promise<void>,
): Action<A> {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  return {
    busy,
    error,
    message: error === null ? null : messageOf(error),
    reset: () => setError(null),
    start(...args) {
      setBusy(true)
      setError(null)
      run(...args).then(
        () => setBusy(false),
        (reason: unknown) => {
          setBusy(false)
          setError(reason)
        },
      )
    },
  }
}
