import type { Tree } from '@lezer/common'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { DataField, FieldType } from '#catalogue/define.ts'
import { knownValues } from '#catalogue/define.ts'
import { commonFields } from '#catalogue/payload.ts'
import type { Slice } from './json-place.ts'
import { keyText, valueOf } from './json-place.ts'

/** What the document says of one field. */
interface KnownField {
  readonly key: string
  readonly type: FieldType
  readonly info: string
  readonly values: readonly string[]
  readonly time: boolean
}

/** The fields that the document has for an object of the body, found by the keys around it. */
export function fieldsOf(
  tree: Tree,
  slice: Slice,
  keys: readonly string[],
  brand: string,
): readonly KnownField[] {
  if (keys.length === 0) {
    return commonFields.map(({ key, type, description }) => ({
      key,
      type,
      info: description,
      values: [],
      time: key === 'createdAt',
    }))
  }
  if (keys[0] !== 'data') return []
  const data = eventTypeOf(typeIn(tree, slice))?.data ?? []
  if (keys.length === 1) return data.map((field) => known(field, brand))
  const inside = keys.length === 2 ? data.find(({ key }) => key === keys[1])?.inside : undefined
  if (!inside) return []
  const { key } = inside
  return [{ key, type: 'string', info: '', values: inside.known, time: false }]
}

function known(field: DataField, brand: string): KnownField {
  const { key, type, description, format } = field
  return {
    key,
    type,
    info: description,
    values: knownValues(field, brand),
    time: format === 'time',
  }
}

/** The value of `type` in the outermost object. */
function typeIn(tree: Tree, slice: Slice): string | null {
  const root = tree.topNode.firstChild
  for (const property of root?.getChildren('Property') ?? []) {
    const key = property.getChild('PropertyName')
    const value = valueOf(property)
    if (!key || !value || keyText(slice(key.from, key.to)) !== 'type') continue
    return value.name === 'String' ? keyText(slice(value.from, value.to)) : null
  }
  return null
}
