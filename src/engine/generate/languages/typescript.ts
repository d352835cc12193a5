import {
  describeField,
  type ModelEvent,
  type ModelField,
  type ObjectType,
  type PayloadModel,
  type ValueType,
} from '../model.ts'
import { defineLanguage } from '../generators.ts'

export default defineLanguage({
  id: 'typescript',
  label: 'TypeScript',
  types: (model) => ({ path: 'webhook-events.ts', text: moduleOf(model) }),
})

function moduleOf({ header, common, events }: PayloadModel): string {
  return `/**
${header.map((line) => ` * ${line}`).join('\n')}
 */

/** One of these values. Others may be added, so handle them too. */
export type OneOf<T extends string> = T | (string & {})

/** Properties of every event. */
export interface EventBase {
${fieldLines(common)}}

${events.map(eventText).join('\n')}
export type WebhookEvent =
${events.map(({ name }) => `  | ${name}\n`).join('')}
export const eventTypes = [
${events.map(({ type }) => `  '${type}',\n`).join('')}] as const satisfies readonly WebhookEvent['type'][]

/** An event of a type that is not listed above. */
export interface UnknownEvent extends EventBase {
  type: string
  data?: unknown
}

/** The type is known, so that \`switch (event.type)\` narrows the event. */
export function isWebhookEvent(event: UnknownEvent): event is WebhookEvent {
  const types: readonly string[] = eventTypes
  return types.includes(event.type) && isObject(event.data)
}

/** Null if it is not the JSON of an event. Verify the signature of the raw body first. */
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
}

function eventText({ type, name, description, data }: ModelEvent): string {
  return `/** ${description} */
export interface ${name} extends EventBase {
  type: '${type}'
${fieldLines([data])}}

${objectText(data.value)}`
}

/** The interface of an object, after those of the objects in it. */
function objectText({ name, fields }: ObjectType): string {
  const inner = fields.flatMap(({ value }) => objectsIn(value)).map(objectText)
  const own =
    fields.length === 0
      ? `export type ${name} = Record<string, unknown>\n`
      : `export interface ${name} {\n${fieldLines(fields)}}\n`
  return [...inner, own].join('\n')
}

function objectsIn(value: ValueType): ObjectType[] {
  if (value.kind === 'object') return [value]
  return value.kind === 'list' || value.kind === 'map' ? objectsIn(value.of) : []
}

function fieldLines(fields: readonly ModelField[]): string {
  return fields
    .map(
      (field) =>
        `  /** ${describeField(field)} */\n  ${propertyName(field.key)}${field.optional ? '?' : ''}: ${typeText(field.value)}${field.nullable && field.value.kind !== 'any' ? ' | null' : ''}\n`,
    )
    .join('')
}

function propertyName(key: string): string {
  return /^[A-Za-z_$]/.test(key) && !/[^\w$]/.test(key) ? key : JSON.stringify(key)
}

function typeText(value: ValueType): string {
  switch (value.kind) {
    case 'string':
      return value.values.length === 0
        ? 'string'
        : `OneOf<${value.values.map((each) => `'${each}'`).join(' | ')}>`
    case 'number':
    case 'boolean':
      return value.kind
    case 'list':
      return `${listed(typeText(value.of))}[]`
    case 'map':
      return `Record<string, ${typeText(value.of)}>`
    case 'object':
      return value.name
    case 'any':
      return 'unknown'
  }
}

function listed(type: string): string {
  return /[^A-Za-z0-9]/.test(type) ? `(${type})` : type
}
