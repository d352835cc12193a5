import { createContext, use, useCallback, useEffect, useState } from 'react'
import type { CallName, CallOutput } from '#contract/calls.ts'
import { messageOf } from './call-error.ts'
import type { Client, ClientInput } from './client.ts'

export const ClientContext = createContext<Client | null>(null)

/** The client created in `main.tsx`. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (!client) throw new Error('useClient requires a client provider.')
  return client
}

export type Loaded<T> =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly value: T }
  | { readonly phase: 'failed'; readonly message: string }

/** Loads data with a call. Repeats the call when `input` changes (compared as JSON) and on `reload()`. */
export function useQuery<N extends CallName>(
  name: N,
  input: ClientInput<N>,
): { state: Loaded<CallOutput<N>>; reload: () => void } {
  const client = useClient()
  const key = JSON.stringify(input)
  const [attempt, setAttempt] = useState(0)
  const [result, setResult] = useState<{ key: string; state: Loaded<CallOutput<N>> }>({
    key,
    state: { phase: 'loading' },
  })

  useEffect(() => {
    let current = true
    client.call(name, input).then(
      (value) => current && setResult({ key, state: { phase: 'ready', value } }),
      (error: unknown) =>
        current && setResult({ key, state: { phase: 'failed', message: messageOf(error) } }),
    )
    const stop = client.onConnection((state) => {
      // Retry after a reconnect.
      if (state.phase === 'connected') setAttempt((count) => count + 1)
    })
    return () => {
      current = false
      stop()
    }
    // `key` stands for `input`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, name, key, attempt])

  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  // Never show the result of an earlier input.
  return { state: result.key === key ? result.state : { phase: 'loading' }, reload }
}

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
