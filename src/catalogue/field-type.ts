import { isObject } from '#shared/json/object.ts'
import type { FieldType } from './define.ts'
import { ExactNumber } from './payload.ts'

export function fits(type: FieldType, value: unknown): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'string[]':
      return Array.isArray(value) && value.every((part) => typeof part === 'string')
    case 'object':
      return isObject(value) && !(value instanceof ExactNumber)
  }
}

/** For users. */
export function describeType(type: FieldType): string {
  switch (type) {
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'boolean':
      return 'true or false'
    case 'string[]':
      return 'list of texts'
    case 'object':
      return 'object'
  }
}

/** For users. */
export function describeValueKind(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof ExactNumber) return 'number'
  if (Array.isArray(value)) return fits('string[]', value) ? 'list of texts' : 'list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'boolean':
      return 'true or false'
    case 'undefined':
      return 'absent'
    default:
      return 'object'
  }
}
