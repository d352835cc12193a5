import { z } from 'zod'
import { cliLines, outputVersion } from '#contract/cli-output.ts'
import { isTime } from '#hosts/node/output.ts'

type Schema = z.core.JSONSchema.JSONSchema

/** Of events with several shapes, in the order of the union in `cliLines`. */
const forms: Readonly<Record<string, readonly string[]>> = {
  ready: ['of serve and listen', 'of sandbox', 'of receive'],
  delivery: ['in a list', 'of one delivery'],
  attempt: ['in a list', 'of one attempt'],
  run: ['in a list', 'of one run'],
}

interface Shape {
  /** `delivery`, or `delivery, in a list`. */
  readonly title: string
  readonly key: string
  readonly schema: Schema
}

/** In alphabetical order of events. */
export function shapes(): Shape[] {
  return Object.entries(cliLines)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([event, line]) => {
      if (line instanceof z.ZodObject)
        return [{ title: event, key: event, schema: schemaOf(event, line) }]
      return line.options.map((each, index) => ({
        title: `${event}, ${forms[event]?.[index] ?? `form ${index + 1}`}`,
        key: `${event}_${index + 1}`,
        schema: schemaOf(event, each),
      }))
    })
}

function schemaOf(event: string, line: z.ZodObject): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(
    z.object({ event: z.literal(event), ...line.shape }),
    {
      override: ({ jsonSchema, path }) => {
        const key = String(path[path.lastIndexOf('properties') + 1])
        if (jsonSchema.type === 'number' && isTime(key)) jsonSchema.type = 'integer'
      },
    },
  )
  return schema
}

export function jsonSchema(): object {
  const all = shapes()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Output of tabscope --json, version ${outputVersion}`,
    description: 'One line of stdout.',
    anyOf: all.map(({ key }) => ({ $ref: `#/$defs/${key}` })),
    $defs: Object.fromEntries(all.map(({ key, title, schema }) => [key, { title, ...schema }])),
  }
}

interface Key {
  /** `results[].status` */
  readonly path: string
  readonly type: string
  readonly optional: boolean
}

/** Includes nested objects, in order. */
export function keysOf(schema: Schema, prefix = ''): Key[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'boolean') return []
    const path = prefix + name
    const optional = !(schema.required ?? []).includes(name)
    return [{ path, type: typeText(value), optional }, ...innerKeys(value, path)]
  })
}

function innerKeys(schema: Schema, path: string): Key[] {
  const inner = (schema.anyOf ?? schema.oneOf ?? []).flatMap((each) =>
    typeof each === 'boolean' ? [] : innerKeys(each, path),
  )
  const { items } = schema
  const ofItems =
    typeof items === 'object' && !Array.isArray(items) ? innerKeys(items, `${path}[]`) : []
  // Variants of an object share keys.
  return [
    ...new Map(
      [...keysOf(schema, `${path}.`), ...ofItems, ...inner].map((key) => [key.path, key]),
    ).values(),
  ]
}

function typeText(schema: Schema): string {
  const { const: literal, enum: values, anyOf, oneOf, type, items, prefixItems } = schema
  if (literal !== undefined) return JSON.stringify(literal)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ')
  const kinds = anyOf ?? oneOf
  if (kinds !== undefined) {
    return [
      ...new Set(kinds.map((each) => (typeof each === 'boolean' ? 'any' : typeText(each)))),
    ].join(' or ')
  }
  if (type === 'array') {
    if (prefixItems !== undefined) {
      const parts = prefixItems.map((each) => (typeof each === 'boolean' ? 'any' : typeText(each)))
      return `array of [${parts.join(', ')}]`.replace(/^array of /, '')
    }
    return typeof items === 'object' && !Array.isArray(items)
      ? `array of ${typeText(items)}`
      : 'array'
  }
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'any')
}
