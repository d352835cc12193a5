import { useEffect, useMemo, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import type { Preflight } from '#contract/integrations.ts'
import { sentence } from '../../../platform/call-error.ts'
import { latestOnly } from '../../../platform/latest-only.ts'
import { useClient } from '../../../platform/use-client.ts'

type Input = CallInput<'integrations.preflight'>

interface Looked {
  /** Which values the last answer is about. */
  readonly key: string
  /** Null before the first answer. */
  readonly preflight: Preflight | null
  readonly error: string | null
}

/** Looks at the values of now before they are saved, as fast as answers come. `stored` is what else the answer depends on. */
export function usePreflight(input: Input, stored: string): Looked & { readonly behind: boolean } {
  const client = useClient()
  const key = JSON.stringify([input, stored])
  const [held, setHeld] = useState<Looked>({ key: '', preflight: null, error: null })
  const want = useMemo(
    () =>
      latestOnly(async (asked: { key: string; input: Input }) => {
        try {
          const preflight = await client.call('integrations.preflight', asked.input)
          setHeld({ key: asked.key, preflight, error: null })
        } catch (error) {
          setHeld(({ preflight }) => ({ key: asked.key, preflight, error: sentence(error) }))
        }
      }),
    [client],
  )
  useEffect(() => {
    want({ key, input })
    return client.onConnection((state) => {
      if (state.phase === 'connected') want({ key, input })
    })
    // `key` stands for `input`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, want, key])
  return { ...held, behind: held.key !== key }
}
