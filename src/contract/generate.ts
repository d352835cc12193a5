import * as z from 'zod'
import { generateOutputs } from './constants.ts'
import { Brand } from './integrations.ts'
import { Id, LogId, None, SavedFile, SaveTo } from './models.ts'

const Target = z.object({ id: z.string(), label: z.string() })

export const GeneratedFile = z.object({
  /** Relative, with `/`. */
  path: z.string(),
  text: z.string(),
})
export type GeneratedFile = z.infer<typeof GeneratedFile>

const GenerateInput = z.object({
  output: z.enum(generateOutputs),
  /** ID of a language, a framework or a test framework; empty for contracts. */
  target: z.string().max(40).default(''),
  /** In the names of headers and in values. */
  brand: Brand.default('Service'),
  /** Only these; empty: all. */
  types: z.array(z.string().max(80)).max(100).default([]),
  /** Filter of the deliveries whose fields are added, or that become fixtures. Null: from the API documentation alone. */
  observed: z.string().max(4000).nullable().default(null),
  /** For fixtures, instead of a filter. */
  ids: z.array(Id).max(200).default([]),
  log: LogId,
  /** For fixtures: masked as in an export. */
  redact: z.boolean().default(true),
})

export const generateCalls = {
  'generate.targets': {
    input: None,
    output: z.object({
      languages: z.array(Target),
      handlers: z.array(Target),
      testFrameworks: z.array(Target),
    }),
  },
  /**
   * The same input, version and deliveries give the same files. Throws `bad_filter`, `bad_input` for an unknown target, and `not_found` if no delivery is
   * selected for fixtures.
   */
  'generate.files': {
    input: GenerateInput,
    output: z.object({
      files: z.array(GeneratedFile),
      /** Payloads whose fields were read, or that became fixtures; null: none were asked for. */
      payloads: z.int().nonnegative().nullable(),
      /** Sentences: what was left out. */
      notes: z.array(z.string()),
    }),
  },
  /** The file, or a ZIP file of several. Throws like `generate.files`, and `file_failed`. */
  'generate.save': { input: GenerateInput.extend({ to: SaveTo }), output: SavedFile },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
