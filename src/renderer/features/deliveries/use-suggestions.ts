import { useEffect, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { useClient } from '../../platform/use-client.ts'
import { useLog } from '../../state/scope.ts'

/** A request for values of a field that start with a prefix. */
export type SuggestionRequest = Omit<CallInput<'filters.suggest'>, 'log'>

export interface Suggested {
  readonly request: SuggestionRequest
  readonly values: readonly string[]
}

/** Milliseconds to wait after the last key. */
const debounce = 80

/** Stored values of a field, requested while typing. Null if none were requested or they are loading. */
export function useSuggestions(request: SuggestionRequest | null): Suggested | null {
  const client = useClient()
  const log = useLog()
  const [held, setHeld] = useState<Suggested | null>(null)
  const field = request?.field
  const prefix = request?.prefix
  useEffect(() => {
    if (field === undefined || prefix === undefined) return
    let current = true
    const timer = setTimeout(() => {
      client.call('filters.suggest', { log, field, prefix }).then(
        (values) => current && setHeld({ request: { field, prefix }, values }),
        // Typing works without suggestions, so the error is ignored.
        () => current && setHeld(null),
      )
    }, debounce)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [client, field, log, prefix])
  return held && held.request.field === field && held.request.prefix === prefix ? held : null
}
