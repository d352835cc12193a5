import {
  describeField,
  type ModelEvent,
  type ModelField,
  objectIn,
  type ObjectType,
  oneLine,
  type PayloadModel,
  type ValueType,
} from './model.ts'
import { namesOf } from './names.ts'

/** Objects that need a type of their own, inner ones first. One without fields is a map in every language. */
export function objectsIn(fields: readonly ModelField[]): ObjectType[] {
  return fields.flatMap(({ value }) => {
    const object = objectIn(value)
    return object && object.fields.length > 0 ? [...objectsIn(object.fields), object] : []
  })
}

export interface Member {
  readonly name: string
  readonly field: ModelField
}

type ToName = (key: string) => string

export function membersOf(
  fields: readonly ModelField[],
  toName: ToName,
  reserved: ReadonlySet<string>,
): Member[] {
  const names = namesOf(
    fields.map(({ key }) => key),
    toName,
    reserved,
  )
  return fields.map((field) => ({ name: names.get(field.key) ?? field.key, field }))
}

/** Members of all events, whose names differ from `type` and `data`. */
export function commonMembers(
  { common }: PayloadModel,
  toName: ToName,
  reserved: ReadonlySet<string>,
): Member[] {
  const taken = new Set([...reserved, toName('type'), toName('data')])
  return membersOf(common, toName, taken)
}

export function isRequired({ optional, nullable, value }: ModelField): boolean {
  return !optional && !nullable && value.kind !== 'any'
}

export function commentOf(field: ModelField): string {
  const { value, description } = field
  const values = value.kind === 'string' ? value.values : []
  const known = values.every((each) => description.includes(each))
    ? ''
    : ` Known values: ${values.map((each) => `\`${oneLine(each)}\``).join(', ')}.`
  return `${describeField(field)}${known}`
}

export function eventComment({ description }: ModelEvent): string {
  return description.replaceAll('*/', '* /')
}

/** Lines of at most `width` characters, but for longer words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

/** A comment of lines that start with `mark`. */
export function lineComment(text: string, mark: string, width: number): string {
  return wrap(text, width - mark.length)
    .map((line) => `${mark}${line}\n`)
    .join('')
}

/** A comment in `/** *\/`, in one line if it fits. */
export function blockComment(text: string, indent: string, width: number): string {
  const one = `${indent}/** ${text} */\n`
  if (one.length <= width + 1) return one
  return `${indent}/**\n${lineComment(text, `${indent} * `, width)}${indent} */\n`
}

export function markCode(text: string, before: string, after: string): string {
  const parts = text.split('`')
  return parts.length % 2 === 0
    ? text
    : parts.map((part, index) => (index % 2 === 0 ? part : `${before}${part}${after}`)).join('')
}

export function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}${line}`))
    .join('\n')
}

/** Names that may be imported, by package. */
export type Libraries = Readonly<Record<string, readonly string[]>>

export function importsIn(text: string, libraries: Libraries): string[] {
  const words = new Set(text.split(/[^A-Za-z]/))
  return Object.entries(libraries).flatMap(([library, names]) =>
    names.filter((name) => words.has(name)).map((name) => `${library}.${name}`),
  )
}

export interface TypeSyntax {
  readonly string: string
  readonly number: string
  readonly boolean: string
  readonly any: string
  /** An object without fields. */
  readonly open: string
  readonly list: (of: string) => string
  readonly map: (of: string) => string
  /** Of a text with known values. */
  readonly oneOf?: (values: readonly string[]) => string
  readonly object?: (name: string) => string
}

export function typeText(value: ValueType, syntax: TypeSyntax): string {
  switch (value.kind) {
    case 'string':
      return value.values.length > 0 && syntax.oneOf ? syntax.oneOf(value.values) : syntax.string
    case 'number':
    case 'boolean':
    case 'any':
      return syntax[value.kind]
    case 'list':
    case 'map':
      return syntax[value.kind](typeText(value.of, syntax))
    case 'object':
      return value.fields.length === 0 ? syntax.open : (syntax.object?.(value.name) ?? value.name)
  }
}

const folder = '../../../../resources/generate/types/'
const texts = import.meta.glob<string>('../../../../resources/generate/types/*', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** A text of `resources/generate/types/` with each `{{slot}}` replaced. */
export function fill(file: string, slots: Readonly<Record<string, string>> = {}): string {
  const text = texts[`${folder}${file}`] ?? ''
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, slot: string) => slots[slot] ?? '')
}
