import type { CallInput } from '#contract/calls.ts'
import { useQuery, useSettled } from '#client/use-client.ts'
import { useLog } from '#client/state/scope.ts'

/** A request for values of a field that start with a prefix. */
export type SuggestionRequest = Omit<CallInput<'filters.suggest'>, 'log'>

export interface Suggested {
  readonly request: SuggestionRequest
  readonly values: readonly string[]
}

/** Milliseconds to wait after the last key. */
const debounce = 80

/** Stored values of a field, requested while typing. Null if none were requested or they are loading. Typing works without them. */
export function useSuggestions(request: SuggestionRequest | null): Suggested | null {
  const log = useLog()
  const field = request?.field
  const prefix = useSettled(request?.prefix, debounce)
  const { state } = useQuery(
    'filters.suggest',
    field === undefined || prefix === undefined ? null : { log, field, prefix },
  )
  return state.phase === 'ready' && request !== null && prefix === request.prefix
    ? { request, values: state.value }
    : null
}
