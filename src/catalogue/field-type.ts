import { isObject } from '#shared/json/object.ts'
import { eventTypeOf } from './catalogue.ts'
import type { FieldType } from './define.ts'
import { commonFields, ExactNumber } from './payload.ts'

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

const typeTexts = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  'string[]': 'list of texts',
  object: 'object',
} as const satisfies Record<FieldType, string>

export function describeType(type: FieldType): string {
  return typeTexts[type]
}

export function describeValueKind(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof ExactNumber) return 'number'
  if (Array.isArray(value)) return fits('string[]', value) ? 'list of texts' : 'list'
  const type = typeof value
  if (type === 'string' || type === 'number' || type === 'boolean') return typeTexts[type]
  return type === 'undefined' ? 'absent' : 'object'
}

/** `path`: such as `data.total`, `data.itemNames[]`. Null: not documented. */
export function documentedField(
  type: string | null,
  path: string,
): { readonly type: FieldType; readonly optional: boolean } | null {
  const common = commonFields.find(({ key }) => key === path)
  if (common) return { type: common.type, optional: common.optional }
  const [root, key, inside, ...deeper] = path.replace(/\[\]$/, '').split('.')
  const field = eventTypeOf(type)?.data.find((each) => root === 'data' && each.key === key)
  if (!field || deeper.length > 0) return null
  if (inside !== undefined || path.endsWith('[]')) {
    const isDocumented =
      inside === undefined ? field.type === 'string[]' : field.inside?.key === inside
    return isDocumented ? { type: 'string', optional: true } : null
  }
  return { type: field.type, optional: field.conditional ?? false }
}
