import { z } from 'zod'
import { cliOutputs } from '#contract/cli-output/index.ts'
import { outputVersion } from '#contract/cli-output/common.ts'

type Schema = z.core.JSONSchema.JSONSchema

/** Names of the shapes of events with several shapes, in the order of `cliOutputs`. */
const forms: Readonly<Record<string, readonly string[]>> = {
  ready: ['of serve and listen', 'of sandbox'],
  delivery: ['in a list', 'of one delivery'],
  attempt: ['in a list', 'of one attempt'],
  job: ['in a list', 'of one job'],
  run: ['in a list', 'of one run'],
}

interface Shape {
  /** `delivery`, or `delivery, in a list` if the event has several shapes. */
  readonly title: string
  /** Key in `$defs`. */
  readonly key: string
  readonly schema: Schema
}

/** Every shape of a line, in alphabetical order of events. */
export function shapes(): Shape[] {
  const counts = Map.groupBy(cliOutputs, ({ shape }) => shape.event.value)
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([event, all]) =>
      all.map((shape, index): Shape => {
        const form = forms[event]?.[index] ?? `form ${index + 1}`
        const { $schema: _, ...schema } = z.toJSONSchema(shape)
        return {
          title: all.length === 1 ? event : `${event}, ${form}`,
          key: all.length === 1 ? event : `${event}_${index + 1}`,
          schema,
        }
      }),
    )
}

/** The JSON Schema of one line of `--json`. */
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

/** The keys of a shape and its nested objects, in order. */
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
