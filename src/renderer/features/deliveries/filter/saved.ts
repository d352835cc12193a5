import { create } from 'zustand'
import type { SavedFilter } from '#contract/deliveries.ts'
import type { Client } from '#renderer/platform/client.ts'
import { saveText, loadText } from '#renderer/platform/storage.ts'

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
export const useRecent = create<{ readonly recent: readonly string[] }>(() => ({ recent: read() }))

function read(): readonly string[] {
  try {
    const value: unknown = JSON.parse(loadText(key) ?? '[]')
    const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
    return texts.slice(0, maxRecent)
  } catch {
    return []
  }
}

export function remember(filter: string): void {
  if (filter === '') return
  const { recent } = useRecent.getState()
  if (recent[0] === filter) return
  const next = [filter, ...recent.filter((other) => other !== filter)].slice(0, maxRecent)
  useRecent.setState({ recent: next })
  saveText(key, JSON.stringify(next))
}
