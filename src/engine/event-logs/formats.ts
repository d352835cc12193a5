import { AppError } from '../platform/errors.ts'
import type { LogFormat } from './format.ts'

const modules = import.meta.glob<LogFormat>('./formats/*.ts', { eager: true, import: 'default' })

/** Every format, the native one first, the others by name. */
export const logFormats: readonly LogFormat[] = Object.values(modules).toSorted(
  (a, b) => Number(b.id === 'ndjson') - Number(a.id === 'ndjson') || (a.id < b.id ? -1 : 1),
)

/** Throws `bad_input` for a format that there is not. */
export function formatOf(id: string): LogFormat {
  const format = logFormats.find((candidate) => candidate.id === id)
  if (format) return format
  const ids = logFormats.map((each) => each.id).join(', ')
  throw new AppError('bad_input', `There is no format "${id}". Choose one of ${ids}.`)
}
