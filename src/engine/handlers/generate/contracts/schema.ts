import type { GeneratedFile } from '#contract/generate.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { samplePayload } from '#catalogue/define.ts'
import { deliveryHeaders, userAgentPrefix } from '#catalogue/headers.ts'
import { constantSource } from '../fixtures.ts'
import { defineContract } from '../generators.ts'
import type { ModelEvent, ModelField, PayloadModel, ValueType } from '../model.ts'
import { commentOf } from '../source-text.ts'

/** Without references, which some readers take for any value. */
export default defineContract({
  id: 'schema',
  label: 'JSON Schema',
  document: (model) =>
    jsonFile('webhook-events.schema.json', {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'WebhookEvent',
      description: model.header.join(' '),
      oneOf: Object.values(eventSchemas(model)),
    }),
})

type Schema = Readonly<Record<string, unknown>>

export function jsonFile(path: string, document: Schema): GeneratedFile {
  return { path, text: `${JSON.stringify(document, null, 2)}\n` }
}

export function infoOf({ header }: PayloadModel): Schema {
  const [title = '', ...rest] = header
  return { title: title.replace('.', ''), version: '1.0.0', description: rest.join(' ') }
}

export function eventNames({ events }: PayloadModel): string[] {
  return [...events.map(({ name }) => name), 'UnknownEvent']
}

/** By name. Exactly one of them matches an event. Objects are written where they are, since not every reader looks beside \`$ref\`. */
export function eventSchemas(model: PayloadModel): Record<string, Schema> {
  const { events } = model
  return {
    ...Object.fromEntries(events.map((event) => [event.name, eventSchema(event, model)])),
    UnknownEvent: {
      title: 'UnknownEvent',
      description: 'An event of another type.',
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string', not: { enum: events.map(({ type }) => type) } } },
    },
  }
}

function eventSchema({ type, name, description, data }: ModelEvent, model: PayloadModel): Schema {
  const fields = [...model.common, data]
  const known = eventTypeOf(type)
  return {
    title: name,
    description,
    type: 'object',
    required: ['type', ...requiredKeys(fields)],
    properties: { type: { type: 'string', const: type }, ...properties(fields) },
    ...(known ? { examples: [samplePayload(known, constantSource(model.brand))] } : {}),
  }
}

function requiredKeys(fields: readonly ModelField[]): string[] {
  return fields.filter(({ optional }) => !optional).map(({ key }) => key)
}

function properties(fields: readonly ModelField[]): Schema {
  return Object.fromEntries(
    fields.map((field) => [
      field.key,
      { description: commentOf(field), ...valueSchema(field.value, field.nullable) },
    ]),
  )
}

function valueSchema(value: ValueType, nullable = false): Schema {
  const typed = (type: string): Schema => ({ type: nullable ? [type, 'null'] : type })
  switch (value.kind) {
    case 'string':
      return {
        ...typed('string'),
        ...(value.isTime ? { format: 'date-time' } : {}),
        ...(value.values.length > 0 ? { examples: value.values } : {}),
      }
    case 'number':
    case 'boolean':
      return typed(value.kind)
    case 'list':
      return { ...typed('array'), items: valueSchema(value.of) }
    case 'map':
      return { ...typed('object'), additionalProperties: valueSchema(value.of) }
    case 'object': {
      const required = requiredKeys(value.fields)
      return {
        title: value.name,
        ...typed('object'),
        ...(required.length > 0 ? { required } : {}),
        ...(value.fields.length > 0 ? { properties: properties(value.fields) } : {}),
      }
    }
    case 'any':
      return {}
  }
}

export interface HeaderSchema {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly schema: Schema
}

export function headerSchemas(brand: string): HeaderSchema[] {
  return [
    {
      name: 'User-Agent',
      description: `Starts with \`${userAgentPrefix(brand)}\`.`,
      required: true,
      schema: { type: 'string' },
    },
    ...deliveryHeaders(brand).map(({ id, name, description }) => ({
      name,
      description,
      required: id === 'event-type' || id === 'application-id',
      schema: { type: 'string', ...(id === 'signature' ? { pattern: '^[0-9a-f]{64}$' } : {}) },
    })),
  ]
}
