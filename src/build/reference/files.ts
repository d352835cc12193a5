import { completeProgram } from '#hosts/node/command-line/program.ts'
import {
  causesText,
  errorCodesText,
  fieldsText,
  findingsText,
  keyboardText,
  rehearsalCasesText,
} from './guide-pages.ts'
import { referenceText } from './markdown.ts'
import * as z from 'zod'
import { cliLines, outputVersion } from '#contract/cli-output.ts'
import { isTime } from '#hosts/node/output/output.ts'

type Schema = z.core.JSONSchema.JSONSchema

/** Of events with several shapes, in the order of the union in `cliLines`. */
const forms: Readonly<Record<string, readonly string[]>> = {
  ready: ['of serve and listen', 'of sandbox', 'of receive'],
  delivery: ['in a list', 'of one delivery'],
  attempt: ['in a list', 'of one attempt'],
}

interface Shape {
  /** `delivery`, or `delivery, in a list`. */
  readonly title: string
  readonly key: string
  readonly schema: Schema
}

/** In alphabetical order of events. */
function shapes(): Shape[] {
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

function jsonSchema(): object {
  const all = shapes()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Output of tabscope --json, version ${outputVersion}`,
    description: 'One line of stdout.',
    anyOf: all.map(({ key }) => ({ $ref: `#/$defs/${key}` })),
    $defs: Object.fromEntries(all.map(({ key, title, schema }) => [key, { title, ...schema }])),
  }
}

const program = await completeProgram()

export const generatedFiles: Readonly<Record<string, string>> = {
  'resources/docs/command-line.md': referenceText(program),
  'resources/docs/keyboard-shortcuts.md': keyboardText(),
  'resources/docs/filter-fields.md': fieldsText(),
  'resources/docs/findings.md': findingsText(),
  'resources/docs/invalid-signature-causes.md': await causesText(),
  'resources/docs/rehearsal-cases.md': rehearsalCasesText(),
  'resources/docs/error-codes.md': errorCodesText(),
  'resources/docs/cli-output.schema.json': `${JSON.stringify(jsonSchema(), null, 2)}\n`,
}
