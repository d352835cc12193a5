import type { ModelEvent, ModelField, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import {
  blockComment,
  commentOf,
  eventComment,
  objectsIn,
  type TypeSyntax,
  typeText,
} from '../source-text.ts'

export default defineLanguage({
  id: 'typescript',
  label: 'TypeScript',
  types: (model) => ({ path: 'webhook-events.ts', text: moduleOf(model) }),
})

const width = 100

export const oneOfText = `/** One of these values. Others may be added, so handle them too. */
export type OneOf<T extends string> = T | (string & {})
`

function moduleOf(model: PayloadModel): string {
  const { common, events } = model
  const lackData = events.filter(({ data }) => data.optional)
  return `${headerText(model)}
${oneOfText}
${objectsIn(common).map(interfaceText).join('')}/** Properties of every event. */
export interface EventBase {
${fieldLines(common)}}

${events.map(eventText).join('\n')}
export type WebhookEvent =
${events.map(({ name }) => `  | ${name}\n`).join('')}
export const eventTypes = ${listText(events)} as const satisfies readonly WebhookEvent['type'][]

const typesWithOptionalData: readonly string[] = ${listText(lackData)}

/** An event of any type. */
export interface UnknownEvent {
  type: string
  [key: string]: unknown
}

/**
 * The type is known and it has data, so that \`switch (event.type)\` narrows the event. The fields
 * of the data are not checked.
 */
export function isWebhookEvent(event: UnknownEvent | WebhookEvent): event is WebhookEvent {
  const types: readonly string[] = eventTypes
  if (!types.includes(event.type)) return false
  return isObject(event.data) || (event.data == null && typesWithOptionalData.includes(event.type))
}

${parseText}`
}

export function headerText({ header }: PayloadModel): string {
  return `/**\n${header.map((line) => ` * ${line}\n`).join('')} */\n`
}

export const parseText = `/** Null if it is not the JSON of an event. Verify the signature of the raw body first. */
export function parseEvent(rawBody: string): UnknownEvent | null {
  try {
    const event: unknown = JSON.parse(rawBody)
    return isEvent(event) ? event : null
  } catch {
    return null
  }
}

function isEvent(value: unknown): value is UnknownEvent {
  return isObject(value) && typeof value['type'] === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
`

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
