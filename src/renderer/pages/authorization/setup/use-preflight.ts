import { useEffect, useMemo, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import type { Preflight } from '#contract/integrations.ts'
import { messageOf } from '#kit/use-action.ts'
import { latestOnly } from '#client/limit-calls.ts'
import { useClient } from '#client/use-client.ts'

type Input = CallInput<'integrations.preflight'>

interface Result {
  /** The input of the last result. */
  readonly key: string
  /** Null before the first result. */
  readonly preflight: Preflight | null
  readonly error: string | null
}

/** Checks the current values before they are saved, one call at a time. `stored`: other values that the result depends on. `stale`: the result is of earlier values. */
export function usePreflight(input: Input, stored: string): Result & { readonly stale: boolean } {
  const client = useClient()
  const key = JSON.stringify([input, stored])
  const [result, setResult] = useState<Result>({ key: '', preflight: null, error: null })
  const check = useMemo(
    () =>
      latestOnly(async (request: { key: string; input: Input }) => {
        try {
          const preflight = await client.call('integrations.preflight', request.input)
          setResult({ key: request.key, preflight, error: null })
        } catch (error) {
          setResult(({ preflight }) => ({ key: request.key, preflight, error: messageOf(error) }))
        }
      }),
    [client],
  )
  useEffect(() => {
    check({ key, input })
    return client.onConnection((state) => {
      if (state.phase === 'connected') check({ key, input })
    })
    // `key` stands for `input`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, check, key])
  return { ...result, stale: result.key !== key }
}
