import type { LogFormat } from './format.ts'

const modules = import.meta.glob<LogFormat>('./formats/*.ts', { eager: true, import: 'default' })

/** Every format, the native one first, the others by name. */
export const logFormats: readonly LogFormat[] = Object.values(modules).toSorted(
  (a, b) => Number(b.id === 'ndjson') - Number(a.id === 'ndjson') || (a.id < b.id ? -1 : 1),
)
