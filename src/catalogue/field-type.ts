import { isObject } from '#shared/json/object.ts'
import type { FieldType } from './define.ts'

/** Whether a JSON value is of the type that the document's table gives. */
export function fits(type: FieldType, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    case 'string[]':
      return Array.isArray(value) && value.every((part) => typeof part === 'string')
    case 'object':
      return isObject(value)
  }
}

/** A type of the document in words. */
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

/** What a JSON value is, in words. */
export function describeValueKind(value: unknown): string {
  if (value === null) return 'null'
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
