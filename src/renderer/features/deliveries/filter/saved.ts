import { create } from 'zustand'
import type { SavedFilter } from '#contract/deliveries.ts'
import type { Client } from '#renderer/platform/client.ts'
import { saveText, loadText } from '#renderer/platform/storage.ts'

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

const key = 'tabscope.recent-filters'
const kept = 10

/** Filters that were used here lately, newest first. They stay in this browser or window. */
export const useRecent = create<{ readonly recent: readonly string[] }>(() => ({ recent: read() }))

function read(): readonly string[] {
  try {
    const value: unknown = JSON.parse(loadText(key) ?? '[]')
    const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
    return texts.slice(0, kept)
  } catch {
    return []
  }
}

/** Remembers a filter that was used. */
export function remember(filter: string): void {
  if (filter === '') return
  const { recent } = useRecent.getState()
  if (recent[0] === filter) return
  set([filter, ...recent.filter((other) => other !== filter)].slice(0, kept))
}

export function forgetRecent(): void {
  set([])
}

function set(recent: readonly string[]): void {
  useRecent.setState({ recent })
  saveText(key, JSON.stringify(recent))
}
