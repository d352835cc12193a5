import { useEffect, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { useClient } from '../../platform/use-client.ts'
import { useLog } from '../../state/scope.ts'

/** What is asked for: values of a field that begin so. */
export type Wanted = Omit<CallInput<'filters.suggest'>, 'log'>

export interface Suggested {
  readonly wanted: Wanted
  readonly values: readonly string[]
}

/** Milliseconds after the last key. */
const pause = 80

/** Values that were seen of a field, asked for as one types; null: none were asked for, or they are on their way. */
export function useSuggestions(wanted: Wanted | null): Suggested | null {
  const client = useClient()
  const log = useLog()
  const [held, setHeld] = useState<Suggested | null>(null)
  const field = wanted?.field
  const prefix = wanted?.prefix
  useEffect(() => {
    if (field === undefined || prefix === undefined) return
    let current = true
    const timer = setTimeout(() => {
      client.call('filters.suggest', { log, field, prefix }).then(
        (values) => current && setHeld({ wanted: { field, prefix }, values }),
        // Without suggestions one can still type: nothing is said of it.
        () => current && setHeld(null),
      )
    }, pause)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [client, field, log, prefix])
  return held && held.wanted.field === field && held.wanted.prefix === prefix ? held : null
}
