import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { generateOutputs } from '#contract/constants.ts'
import { describeInputIssue } from '#contract/input-issues.ts'
import { Id, Verdict } from '#contract/models.ts'
import { deliveryParts } from './delivery-tools.ts'

/** The other hints concern tools that write. The world is open: strangers wrote what is captured. */
const readOnly = { readOnlyHint: true }
const destructive = { readOnlyHint: false, destructiveHint: true }

const terse = { terse: true }
const terseKeys = ['terse', 'items', 'additionalProperties', 'propertyNames'] as const

const Cursor = z.string().max(200)
const Next = z.string().nullable()
const Count = z.int()
/** The functions of the tools define the items, which are not listed. */
const List = z.array(z.unknown()).meta(terse)
const Causes = z.array(z.string()).meta(terse).optional()
const Framework = z.string().max(20)
const TargetName = z.string().max(40)

/** A larger number is reduced to the maximum, so that the result is shorter than requested instead of an error. */
function upTo(maximum: number, number: z.ZodNumber) {
  return number.meta({ maximum }).transform((value) => Math.min(value, maximum))
}

/** An assistant does not need these parts of a JSON Schema, such as the limits of integers in JavaScript. */
const needless: readonly (readonly [key: string, value: unknown])[] = [
  ['minimum', Number.MIN_SAFE_INTEGER],
  ['minimum', 0],
  ['minimum', 1],
  ['maximum', Number.MAX_SAFE_INTEGER],
  ['additionalProperties', false],
]

/** No assistant comes near these limits. They are checked all the same. */
const inputLimits = ['maxLength', 'maxItems', 'pattern', 'exclusiveMinimum'] as const
const emptyDefaults: ReadonlySet<unknown> = new Set(['""', '0', 'false', '[]', '{}'])
const outputDetails = ['required', 'enum'] as const

/** The list of tools is in the context of each conversation. */
function tersely<S extends z.ZodRawShape>(
  shape: S,
): StandardSchemaWithJSON<z.input<z.ZodObject<S>>, z.output<z.ZodObject<S>>> {
  const schema = z.object(shape)
  const standard = schema['~standard']
  const listed = (io: 'input' | 'output'): Record<string, unknown> =>
    z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => {
        if ('terse' in jsonSchema) {
          for (const key of terseKeys) Reflect.deleteProperty(jsonSchema, key)
        }
        if (emptyDefaults.has(JSON.stringify(jsonSchema.default))) {
          Reflect.deleteProperty(jsonSchema, 'default')
        }
        for (const [key, value] of needless) {
          if (Reflect.get(jsonSchema, key) === value) Reflect.deleteProperty(jsonSchema, key)
        }
        for (const key of io === 'input' ? inputLimits : outputDetails) {
          Reflect.deleteProperty(jsonSchema, key)
        }
        // In a result, what may be null is of any type.
        if (jsonSchema.anyOf) Reflect.deleteProperty(jsonSchema, 'anyOf')
      },
    })
  return {
    '~standard': {
      ...standard,
      validate: (value) => {
        const first = schema.safeParse(value)
        const given = first.success ? value : corrected(value, first.error.issues)
        const { data, error } = schema.safeParse(given, { error: describeInputIssue })
        return error === undefined ? { value: data } : { issues: error.issues }
      },
      jsonSchema: {
        input: () => withoutDialect(listed('input')),
        output: () => withoutDialect(listed('output')),
      },
    },
  }
}

/** Models write numbers as text, and null for arguments that they leave out. */
function corrected(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([, each]) => each !== null)
  const numbers = issues.filter(
    (issue) => issue.code === 'invalid_type' && /int|number/.test(issue.expected),
  )
  return Object.fromEntries(
    given.map(([key, each]) => {
      const isNumber = numbers.some(({ path }) => path.length === 1 && path[0] === key)
      return [key, isNumber && /^-?\d+(?:\.\d+)?$/.test(String(each)) ? Number(each) : each]
    }),
  )
}

/** The definitions of values of any kind are omitted, so no listed type refers to one. */
function withoutDialect({
  $schema: _dialect,
  $defs: _definitions,
  ...schema
}: Record<string, unknown>) {
  return schema
}

/** `send` and `rehearse` are offered only if the user allows it. */
export const tools = {
  status: {
    description: 'Listener, endpoints, number of deliveries.',
    inputSchema: tersely({}),
    outputSchema: tersely({
      version: z.string(),
      listener: z.string(),
      port: Count.nullable(),
      deliveries: Count,
      newestId: Count,
      endpoints: List,
    }),
    annotations: readOnly,
  },
  search_deliveries: {
    description:
      'Deliveries, newest first. Filters: verdict:invalid, type:ORDER_PLACED since:2h, finding:*, data.total:>40. Pass nextCursor with the same filter.',
    inputSchema: tersely({
      filter: z.string().max(4000).default(''),
      limit: upTo(50, z.int().min(1)).default(20),
      cursor: Cursor.optional(),
    }),
    outputSchema: tersely({
      total: Count,
      totalIsAtLeast: z.boolean(),
      deliveries: z.array(
        z.object({
          id: Count,
          receivedAt: z.string(),
          type: z.string().nullable(),
          verdict: Verdict,
          causes: Causes,
          status: Count.nullable(),
          endpointId: Count.nullable(),
          findings: z.array(z.string()).meta(terse),
        }),
      ),
      nextCursor: Next,
    }),
    annotations: readOnly,
  },
  get_delivery: {
    description: 'One delivery, masked: its summary, headers, findings, attempts or trace.',
    inputSchema: tersely({
      id: Id,
      part: z.enum(deliveryParts).default('summary'),
      cursor: Cursor.optional(),
    }),
    outputSchema: tersely({
      id: Count,
      type: z.string().nullable(),
      verdict: Verdict,
      causes: Causes,
      status: Count.nullable(),
      findings: List,
      trace: List.optional(),
      captured: z.string(),
      nextCursor: Next,
    }),
    annotations: readOnly,
  },
  read_body: {
    description: 'A masked body, or the value at a JSON pointer in it.',
    inputSchema: tersely({
      id: Id,
      pointer: z.string().max(1000).default('').describe('e.g. /data/items/0'),
      offset: z.int().min(0).default(0),
      length: upTo(16384, z.int().min(1)).default(4096),
    }),
    outputSchema: tersely({
      id: Count,
      size: Count,
      nextOffset: Count.nullable(),
      encoding: z.enum(['text', 'base64']),
      note: z.string().nullable(),
      captured: z.string(),
    }),
    annotations: readOnly,
  },
  conformance: {
    description: 'Deliveries and findings of each event type.',
    inputSchema: tersely({ since: z.iso.datetime().optional(), cursor: Cursor.optional() }),
    outputSchema: tersely({
      types: List,
      otherTypes: Count,
      nextCursor: Next,
    }),
    annotations: readOnly,
  },
  wait_for: {
    description: 'Waits for new deliveries that match a filter. Pass after to continue.',
    inputSchema: tersely({
      filter: z.string().max(4000).default(''),
      after: z.int().min(0).optional().describe('id; default: the newest'),
      seconds: upTo(50, z.number().min(0)).default(30),
    }),
    outputSchema: tersely({ ids: z.array(Count).meta(terse), after: Count }),
    annotations: readOnly,
  },
  diagnose_signature: {
    description: 'Why a signature does not match, and correct code for a framework.',
    inputSchema: tersely({ id: Id, framework: Framework.optional().describe('e.g. express') }),
    outputSchema: tersely({
      id: Count,
      verdict: Verdict,
      causes: List,
      tried: Count,
      changedBy: z.array(z.string()).meta(terse),
      handler: z.string().nullable(),
    }),
    annotations: readOnly,
  },
  explain: {
    description: 'A finding, cause, test case, event type or header, by name.',
    inputSchema: tersely({ name: z.string().max(100), framework: Framework.optional() }),
    outputSchema: tersely({
      kind: z.string(),
      title: z.string(),
      text: z.string(),
      fix: z.string().nullable(),
    }),
    annotations: readOnly,
  },
  get_rehearsal: {
    description: 'A test run of a handler: the cases that did not pass, or all.',
    inputSchema: tersely({
      id: Id.optional().describe('default: the newest'),
      all: z.boolean().default(false),
      cursor: Cursor.optional(),
    }),
    outputSchema: tersely({
      id: Count,
      state: z.string(),
      grade: z.string().nullable(),
      cappedBy: z.string().nullable(),
      total: Count,
      passed: Count,
      cases: List,
      captured: z.string(),
      nextCursor: Next,
    }),
    annotations: readOnly,
  },
  generate: {
    description: 'Code from the documentation and, with a filter, from deliveries.',
    inputSchema: tersely({
      output: z.enum(generateOutputs),
      target: Framework.default('').describe('e.g. typescript, express, vitest'),
      filter: z.string().max(4000).optional(),
      cursor: Cursor.optional(),
    }),
    outputSchema: tersely({
      captured: z.string(),
      nextCursor: Next,
    }),
    annotations: readOnly,
  },
  send: {
    description:
      'Sends a sample event to a target once the user confirms it. "fields" is merged into the body.',
    inputSchema: tersely({
      target: TargetName.describe('a name that the user approved'),
      type: z.string().max(200),
      fields: z.record(z.string(), z.json()).default({}).meta(terse),
    }),
    outputSchema: tersely({
      status: Count.nullable(),
      error: z.string().nullable(),
      durationMs: z.number(),
    }),
    annotations: destructive,
  },
  rehearse: {
    description:
      'Tests the handler at a target once the user confirms it. Continue with get_rehearsal.',
    inputSchema: tersely({
      target: TargetName,
      only: z
        .array(z.string().max(20))
        .max(200)
        .default([])
        .describe('e.g. S4 or B*; default: all cases'),
    }),
    outputSchema: tersely({ id: Count, state: z.string(), total: Count }),
    annotations: destructive,
  },
}
