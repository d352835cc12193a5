import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import type { CallName, CallOutput } from '#contract/calls.ts'
import type { PushName } from '#contract/pushes.ts'
import { type Loaded, messageOf } from '#kit/use-action.ts'
import type { Client, ClientInput } from './client.ts'
import { latestOnly, throttled } from './limit-calls.ts'

export const ClientContext = createContext<Client | null>(null)

/** The client created in `main.tsx`. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (!client) throw new Error('useClient requires a client provider.')
  return client
}

/** Loads data with a call. Repeats the call when `input` changes (compared as JSON) and on `reload()`, one at a time. Without an input, nothing is loaded. */
export function useQuery<N extends CallName>(
  name: N,
  input: ClientInput<N> | null,
): { state: Loaded<CallOutput<N>>; reload: () => void } {
  const client = useClient()
  const key = JSON.stringify(input)
  const load = useRef<(request: null) => void>(() => undefined)
  const [result, setResult] = useState<{ key: string; state: Loaded<CallOutput<N>> }>({
    key,
    state: { phase: 'loading' },
  })

  useEffect(() => {
    load.current = () => undefined
    if (input === null) return undefined
    let current = true
    load.current = latestOnly(() =>
      client.call(name, input).then(
        (value) => {
          if (current) setResult({ key, state: { phase: 'ready', value } })
        },
        (error: unknown) => {
          if (current) setResult({ key, state: { phase: 'failed', message: messageOf(error) } })
        },
      ),
    )
    load.current(null)
    const stop = client.onConnection(({ phase }) => phase === 'connected' && load.current(null))
    return () => {
      current = false
      stop()
    }
    // `key` stands for `input`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, name, key])

  const reload = useCallback(() => load.current(null), [])
  return { state: result.key === key ? result.state : { phase: 'loading' }, reload }
}

/** Returns a value once it has not changed for `ms` milliseconds. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** Reloads the data of the live store after each of these pushes, at most once in `every` milliseconds. A log never changes. */
export function useRefresh(
  log: number | null,
  names: readonly PushName[],
  every: number,
  reload: () => void,
): void {
  const client = useClient()
  const key = names.join(' ')
  useEffect(() => {
    if (log !== null) return undefined
    const { run, stop } = throttled(every, reload)
    const stops = [...names.map((name) => client.on(name, run)), stop]
    return () => stops.forEach((end) => end())
    // `key` stands for `names`, which may be a new array at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, every, key, log, reload])
}
