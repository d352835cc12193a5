import type { SyntaxNode, Tree } from '@lezer/common'
import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { type DataField, type FieldType, knownValues } from '#catalogue/define.ts'
import { describeType } from '#catalogue/field-type.ts'
import { isValue, keysAround, keyText, type Place, type Slice, valueOf } from './json-place.ts'
import { commonFields } from '#catalogue/payload.ts'

export interface Offer {
  readonly label: string
  readonly detail: string
  readonly info: string
  /** The inserted text. `at`: the cursor position in it; its end if omitted. */
  readonly text: string
  readonly at?: number
  readonly kind: 'key' | 'value' | 'placeholder'
}

export interface Offers extends Place {
  readonly offers: readonly Offer[]
}

/** Returns the completions at a position of a body, from the API documentation ("Webhook payload" and "Event catalogue"); null if there are none. */
export function offersAt(tree: Tree, slice: Slice, at: number, brand: string): Offers | null {
  const node = tree.resolveInner(at, -1)
  const key = keyAt(node, at)
  if (key) return keyOffers(tree, slice, key, brand)
  const property = propertyAt(node)
  return property ? valueOffers(tree, slice, property, node, at, brand) : null
}

interface KeyPlace extends Place {
  readonly object: SyntaxNode
  readonly property: SyntaxNode | null
}

function keyAt(node: SyntaxNode, at: number): KeyPlace | null {
  const property = node.name === 'PropertyName' ? node.parent : null
  if (property?.parent) {
    return { from: node.from, to: node.to, object: property.parent, property }
  }
  if (node.name === 'Object' && at > node.from && (at < node.to || !closed(node))) {
    const before = node.childBefore(at)
    // A comma must follow a value first.
    return before?.name === 'Property' ? null : { from: at, to: at, object: node, property: null }
  }
  const inner = node.parent
  if (inner?.name === 'Object' && (node.name === '{' || node.name === ',')) {
    return { from: at, to: at, object: inner, property: null }
  }
  // An unquoted word is parsed as an error.
  if (node.type.isError && inner?.name === 'Object') {
    return { from: node.from, to: at, object: inner, property: null }
  }
  return null
}

function closed(node: SyntaxNode): boolean {
  return node.lastChild?.name === '}'
}

function keyOffers(tree: Tree, slice: Slice, place: KeyPlace, brand: string): Offers | null {
  const { object, property, from, to } = place
  const present = new Set<string>()
  for (const other of object.getChildren('Property')) {
    const name = other.getChild('PropertyName')
    if (name && other.from !== property?.from) present.add(keyText(slice(name.from, name.to)))
  }
  const written = property !== null && valueOf(property) !== null
  const offers = fieldsOf(tree, slice, keysAround(object, slice), brand)
    .filter(({ key }) => !present.has(key))
    .map(({ key, type, info, values }): Offer => {
      const name = `"${key}"`
      const value = values.length === 1 ? `"${values[0]}"` : initialText[type]
      const text = written ? name : `${name}: ${value}`
      const inner = value.length > 1 && values.length !== 1 ? text.length - 1 : text.length
      return {
        label: key,
        detail: describeType(type),
        info,
        text,
        at: written ? name.length : inner,
        kind: 'key',
      }
    })
  return offers.length === 0 ? null : { from, to, offers }
}

const initialText = {
  string: '""',
  'string[]': '[]',
  object: '{}',
  number: '',
  boolean: '',
} as const satisfies Record<FieldType, string>

function propertyAt(node: SyntaxNode): SyntaxNode | null {
  if (node.name === 'Property') return node
  const { parent } = node
  if (parent?.name !== 'Property' || node.name === 'PropertyName') return null
  return isValue(node) || node.type.isError || node.name === ':' ? parent : null
}

function valueOffers(
  tree: Tree,
  slice: Slice,
  property: SyntaxNode,
  node: SyntaxNode,
  at: number,
  brand: string,
): Offers | null {
  const name = property.getChild('PropertyName')
  if (!name) return null
  const key = keyText(slice(name.from, name.to))
  const keys = keysAround(property, slice)
  const value = isValue(node) ? node : null
  if (value && (value.name === 'Object' || value.name === 'Array')) return null
  const begun = value ?? (node.type.isError ? node : null)
  const place = begun ? { from: begun.from, to: Math.max(begun.to, at) } : { from: at, to: at }
  const field = fieldsOf(tree, slice, keys, brand).find((each) => each.key === key)
  const offers = [
    ...(keys.length === 0 && key === 'type' ? typeOffers() : []),
    ...(field?.values ?? []).map((text) => textOffer(text, 'listed in the API documentation', '')),
    ...(field?.type === 'boolean' ? ['true', 'false'].map(wordOffer) : []),
    ...(key !== 'type' && (field?.type === 'string' || value?.name === 'String')
      ? placeholderOffers(field?.time ?? false)
      : []),
  ]
  return offers.length === 0 ? null : { ...place, offers }
}

function typeOffers(): Offer[] {
  return eventTypes.map(({ type, label, fired }) => textOffer(type, label, fired))
}

function textOffer(text: string, detail: string, info: string): Offer {
  return { label: text, detail, info, text: JSON.stringify(text), kind: 'value' }
}

function wordOffer(word: string): Offer {
  return { label: word, detail: '', info: '', text: word, kind: 'value' }
}

function placeholderOffers(time: boolean): Offer[] {
  const words = [
    ['{{now}}', 'the time of sending', 'ISO 8601 in UTC, with milliseconds.'],
    ['{{uuid}}', 'a new UUID', 'A different one in each position and for each send.'],
    ['{{counter}}', 'a counter', 'Starts at 1 and increases with each send.'],
  ] as const
  return words
    .filter(([name]) => (name === '{{now}}') === time || !time)
    .map(([name, detail, info]) => ({
      label: name,
      detail,
      info: `${info} Filled in if “Fill in placeholders” is on.`,
      text: JSON.stringify(name),
      kind: 'placeholder',
    }))
}

interface KnownField {
  readonly key: string
  readonly type: FieldType
  readonly info: string
  readonly values: readonly string[]
  readonly time: boolean
}

function fieldsOf(
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
