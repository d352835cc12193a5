import { create } from 'zustand'
import type { SavedFilter } from '#contract/deliveries.ts'
import type { Client } from '#renderer/platform/client.ts'

/** Filters with a name, kept in the data folder. */
export const useSaved = create<{ readonly saved: readonly SavedFilter[] }>(() => ({ saved: [] }))

function show(saved: readonly SavedFilter[]): void {
  useSaved.setState({ saved })
}

/** Keeps the saved filters as the engine has them. */
export function followSaved(client: Client): void {
  client.on('filters.changed', show)
  client.onReload(() => {
    client.call('filters.saved', {}).then(show, () => {
      // The banner tells of a lost connection; after that they are asked for again.
    })
  })
}
