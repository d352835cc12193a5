import { useEffect, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { useClient } from '../../platform/use-client.ts'
import { useLog } from '../../state/scope.ts'

/** A request for values of a field that start with a prefix. */
export type Wanted = Omit<CallInput<'filters.suggest'>, 'log'>

export interface Suggested {
  readonly wanted: Wanted
  readonly values: readonly string[]
}

/** Milliseconds to wait after the last key. */
const debounce = 80

/** Stored values of a field, requested while typing. Null if none were requested or they are loading. */
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
        // Typing works without suggestions, so the error is ignored.
        () => current && setHeld(null),
      )
    }, debounce)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [client, field, log, prefix])
  return held && held.wanted.field === field && held.wanted.prefix === prefix ? held : null
}
