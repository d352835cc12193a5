import type { ModelEvent, ModelField, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import {
  blockComment,
  commentOf,
  eventComment,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'typescript',
  label: 'TypeScript',
  types: (model) => ({ path: 'webhook-events.ts', text: moduleOf(model) }),
})

const width = 100

function moduleOf(model: PayloadModel): string {
  const { common, events } = model
  const lackData = events.filter(({ data }) => data.optional)
  return fill('typescript.txt', {
    header: headerText(model),
    objects: objectsIn(common).map(interfaceText).join(''),
    base: fieldLines(common),
    events: events.map(eventText).join('\n'),
    union: events.map(({ name }) => `  | ${name}\n`).join(''),
    types: listText(events),
    optional: listText(lackData),
  })
}

export function headerText({ header }: PayloadModel): string {
  return `/**\n${header.map((line) => ` * ${line}\n`).join('')} */\n`
}

function listText(events: readonly ModelEvent[]): string {
  return events.length === 0 ? '[]' : `[\n${events.map(({ type }) => `  '${type}',\n`).join('')}]`
}

function eventText(event: ModelEvent): string {
  const { type, name, data } = event
  return `${objectsIn([data]).map(interfaceText).join('')}${blockComment(eventComment(event), '', width)}export interface ${name} extends EventBase {
  type: '${type}'
${fieldLines([data])}}
`
}

function interfaceText({ name, fields }: ObjectType): string {
  return `export interface ${name} {\n${fieldLines(fields)}}\n\n`
}

function fieldLines(fields: readonly ModelField[]): string {
  return fields
    .map((field) => {
      const { key, value, optional, nullable } = field
      const orNull = nullable && value.kind !== 'any' ? ' | null' : ''
      return `${blockComment(commentOf(field), '  ', width)}  ${propertyName(key)}${optional ? '?' : ''}: ${typeText(value, types)}${orNull}\n`
    })
    .join('')
}

export function propertyName(key: string): string {
  return /^[A-Za-z_$]/.test(key) && !/[^\w$]/.test(key) ? key : quote(key)
}

/** Known values may contain the brand, which is any text. */
export function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

export function oneOf(values: readonly string[]): string {
  return `OneOf<${values.map(quote).join(' | ')}>`
}

const types: TypeSyntax = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  any: 'unknown',
  open: 'Record<string, unknown>',
  list: (of) => `${of}[]`,
  map: (of) => `Record<string, ${of}>`,
  oneOf: oneOf,
}
