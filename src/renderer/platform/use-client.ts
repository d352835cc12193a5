import { createContext, use, useCallback, useEffect, useState } from 'react'
import type { CallName, CallOutput } from '#contract/calls.ts'
import { sentence } from './call-error.ts'
import type { Client, ClientInput } from './client.ts'

export const ClientContext = createContext<Client | null>(null)

/** The client that `main.tsx` made. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (!client) throw new Error('There is no client around this component.')
  return client
}

export type Loaded<T> =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly value: T }
  | { readonly phase: 'failed'; readonly message: string }

/** Asks a query, again when `input` changes (compared as JSON) and on `reload()`. */
export function useQuery<N extends CallName>(
  name: N,
  input: ClientInput<N>,
): { state: Loaded<CallOutput<N>>; reload: () => void } {
  const client = useClient()
  const key = JSON.stringify(input)
  const [turn, setTurn] = useState(0)
  const [held, setHeld] = useState<{ key: string; state: Loaded<CallOutput<N>> }>({
    key,
    state: { phase: 'loading' },
  })

  useEffect(() => {
    let current = true
    client.call(name, input).then(
      (value) => current && setHeld({ key, state: { phase: 'ready', value } }),
      (error: unknown) =>
        current && setHeld({ key, state: { phase: 'failed', message: sentence(error) } }),
    )
    const stop = client.onConnection((state) => {
      // What failed since the connection was gone is asked again when it is back.
      if (state.phase === 'connected') setTurn((before) => before + 1)
    })
    return () => {
      current = false
      stop()
    }
    // `key` stands for `input`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, name, key, turn])

  const reload = useCallback(() => setTurn((before) => before + 1), [])
  // An answer to an earlier input must not be drawn under the new one.
  return { state: held.key === key ? held.state : { phase: 'loading' }, reload }
}

/** An action of the user: whether it runs, and why it failed last. */
export function useAction<A extends readonly unknown[]>(
  run: (...args: A) => Promise<void>,
): { start: (...args: A) => void; busy: boolean; error: unknown; reset: () => void } {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  return {
    busy,
    error,
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
