import { keepText, keptText } from '../../platform/storage.ts'

const key = 'tabscope.palette-recent'
const kept = 20
const longestId = 120

/** What was chosen in the palette lately, the last first, by the ids of its entries. It stays in this browser or window. */
export function recentIds(): readonly string[] {
  try {
    const value: unknown = JSON.parse(keptText(key) ?? '[]')
    const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
    return ids.slice(0, kept)
  } catch {
    return []
  }
}

export function rememberId(id: string): void {
  if (id.length > longestId) return
  const ids = [id, ...recentIds().filter((other) => other !== id)].slice(0, kept)
  keepText(key, JSON.stringify(ids))
}
