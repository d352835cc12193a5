import type { FieldFormat } from '#catalogue/define.ts'
import { ExactNumber } from '#catalogue/payload.ts'
import { cut } from '../../../ui/text/visible.ts'
import { looksLikeId, readTime } from './payload.ts'

/** The display format of a common property. */
export function formatOf(key: string): FieldFormat {
  switch (key) {
    case 'targetUuid':
    case 'targetId':
    case 'locationUuid':
    case 'locationId':
      return 'id'
    case 'createdAt':
      return 'time'
    case 'data':
      return 'object'
    default:
      return 'text'
  }
}

/** Guesses the display format of an undocumented value from its type, and for IDs from its key. */
export function guessFormat(value: unknown, key: string): FieldFormat {
  switch (typeof value) {
    case 'boolean':
      return 'flag'
    case 'number':
      return 'count'
    case 'string':
      if (readTime(value)) return 'time'
      return looksLikeId(key, value) ? 'id' : 'text'
    case 'object':
      if (value instanceof ExactNumber) return 'count'
      return Array.isArray(value) && value.every((part) => typeof part === 'string')
        ? 'tags'
        : 'object'
    default:
      return 'text'
  }
}

/** A short text for any JSON value, at most `length` characters. Never throws. */
export function brief(value: unknown, length: number): string {
  if (typeof value === 'string') return cut(value, length)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof ExactNumber) return cut(value.source, length)
  return briefObject(value, length)
}

function briefObject(value: unknown, length: number): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `array of ${value.length}`
  if (typeof value !== 'object' || value === null) return ''
  const parts = Object.entries(value)
    .slice(0, 6)
    .map(([key, part]: [string, unknown]) => `${key}: ${leaf(part)}`)
  return parts.length === 0 ? '{}' : cut(`{ ${parts.join(', ')} }`, length)
}

/** Formats one level only: deeper values are shown in the Body tab, and deeply nested hostile input stays cheap. */
function leaf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, 60))
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof ExactNumber) return cut(value.source, 60)
  return '{…}'
}
