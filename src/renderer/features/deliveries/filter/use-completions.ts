import { useMemo, useState } from 'react'
import { useAuthorization } from '../../authorization/store.ts'
import { useEndpoints } from '../../endpoints/store.ts'
import { useLog } from '../scope/scope.ts'
import { useDeliveries } from '../store.ts'
import { useSuggestions } from '../use-suggestions.ts'
import type { Wanted } from '../use-suggestions.ts'
import { completionsAt } from './completions.ts'
import type { Completions } from './completions.ts'
import { useRecent } from './recent.ts'
import { useSaved } from './saved.ts'

/** What could stand at the caret, of the language, the document and the store. */
export function useCompletions(text: string, caret: number): Completions {
  const log = useLog()
  const unknownTypes = useDeliveries((state) => state.unknownTypes)
  const endpoints = useEndpoints((state) => state.endpoints)
  const integrations = useAuthorization((state) => state.integrations)
  const saved = useSaved((state) => state.saved)
  const recent = useRecent((state) => state.recent)
  const known = useMemo(
    () => ({
      unknownTypes, // A log's endpoints are not ours.
      endpoints: log === null ? endpoints.map(({ name }) => name) : [],
      integrations: log === null ? integrations.map(({ name }) => name) : [],
      saved,
      recent,
    }),
    [unknownTypes, log, endpoints, integrations, saved, recent],
  )
  const [ask, setAsk] = useState<Wanted | null>(null)
  const suggested = useSuggestions(ask)
  const completions = useMemo(
    () => completionsAt(text, caret, { ...known, suggested }),
    [text, caret, known, suggested],
  )
  const next = completions.ask
  if (next?.field !== ask?.field || next?.prefix !== ask?.prefix) setAsk(next)
  return completions
}
