import { create } from 'zustand'
import type { SavedFilter } from '#contract/deliveries.ts'
import type { Client } from '#client/client.ts'
import { loadRecent, saveRecent } from '#kit/storage.ts'

/** Saved filters, stored in the data folder. */
export const useSaved = create<{ readonly saved: readonly SavedFilter[] }>(() => ({ saved: [] }))

function show(saved: readonly SavedFilter[]): void {
  useSaved.setState({ saved })
}

/** Keeps the saved filters in sync with the engine. */
export function followSaved(client: Client): void {
  client.on('filters.changed', show)
  client.onReload(() => {
    client.call('filters.saved', {}).then(show, () => {
      // The banner reports a lost connection. They are requested again once it is back.
    })
  })
}

const key = 'tabscope.recent-filters'
const maxRecent = 10

/** Recently used filters, newest first. Stored in this browser or window. */
export const useRecent = create<{ readonly recent: readonly string[] }>(() => ({
  recent: loadRecent(key, maxRecent),
}))

export function remember(filter: string): void {
  const { recent } = useRecent.getState()
  if (filter === '' || recent[0] === filter) return
  useRecent.setState({ recent: saveRecent(key, maxRecent, filter, recent) })
}
