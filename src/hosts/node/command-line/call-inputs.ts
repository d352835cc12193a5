import * as z from 'zod'
import { calls } from '#contract/calls.ts'

export interface CallField {
  readonly type: 'integer' | 'number' | 'boolean' | 'string' | 'other'
  readonly isRequired: boolean
  readonly isList: boolean
  readonly description: string
  readonly choices?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

type JsonSchema = z.core.JSONSchema.JSONSchema

/**
 * The fields of each call as JSON, so that a command reads those of its own. The build evaluates this module (`evaluated` in electron.vite.config.ts): then
 * it loads no schema.
 */
export const callInputs: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(calls).map(([name, { input }]) => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    const fields = Object.entries(schema.properties ?? {}).map(([field, each]) => [
      field,
      fieldOf(each, schema.required?.includes(field) ?? false),
    ])
    return [name, JSON.stringify(Object.fromEntries(fields))]
  }),
)

function fieldOf(schema: z.core.JSONSchema._JSONSchema, isRequired: boolean): CallField {
  const given = objectOf(schema)
  const value = objectOf(given.anyOf?.find((each) => objectOf(each).type !== 'null') ?? given)
  const isList = value.type === 'array'
  const item = isList && !Array.isArray(value.items) ? objectOf(value.items ?? {}) : value
  const { type, minimum, maximum, enum: choices } = item
  const isSimple =
    type === 'integer' || type === 'number' || type === 'boolean' || type === 'string'
  return {
    type: isSimple ? type : 'other',
    isRequired,
    isList,
    description: given.description ?? value.description ?? '',
    ...(choices && { choices: choices.map(String) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }
}

function objectOf(schema: z.core.JSONSchema._JSONSchema): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}
