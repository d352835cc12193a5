import * as z from 'zod'
import { maxScriptLength } from './constants.ts'
import { Bytes, Header, Id, LogId, None, SavedFile, SaveTo } from './models.ts'

export const maxScripts = 100

export const ScriptName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$/,
    'Use 1 to 60 letters, digits, spaces, dots, hyphens and underscores, beginning with a letter or digit.',
  )

/** Runs only where a response rule, a forward target or a re-send names it. */
export const Script = z.object({
  name: ScriptName,
  /** JavaScript or TypeScript: a module whose default export is the function, or only the function. */
  source: z.string(),
  savedAt: z.number(),
  usedBy: z.object({
    /** Of response rules. */
    responses: z.array(Id),
    /** Of forward targets. */
    forwards: z.array(Id),
  }),
  /** Deliveries since it was saved, up to 1,000, and the newest of them with the sentence why. Only in `scripts.list`, and if it failed. */
  failed: z.object({ count: z.int(), deliveryId: Id, reason: z.string() }).optional(),
})
export type Script = z.infer<typeof Script>

/** `error`: it threw. `timeout`, `memory`: it exceeded its limit. `result`: it returned something else than a request or a response. */
export const scriptFailureCodes = ['syntax', 'error', 'timeout', 'memory', 'result'] as const

export const ScriptFailure = z.object({
  code: z.enum(scriptFailureCodes),
  /** A sentence. */
  message: z.string(),
  /** From 1, in the source; null: unknown. */
  line: z.int().positive().nullable(),
  column: z.int().positive().nullable(),
})
export type ScriptFailure = z.infer<typeof ScriptFailure>

/** What a script returned, read and checked. */
export const ScriptResult = z.discriminatedUnion('kind', [
  /** Nothing: goes on unchanged. */
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('request'),
    /** Replace headers of the same name; null removes them. */
    headers: z.array(z.tuple([z.string(), z.string().nullable()])),
    /** Null: unchanged. */
    body: Bytes.nullable(),
    /** Null: that of the target. */
    url: z.string().nullable(),
    sign: z.enum(['auto', 'keep', 'none']),
  }),
  /** It is not sent. */
  z.object({ kind: z.literal('skip') }),
  z.object({
    kind: z.literal('response'),
    /** Null: the connection is dropped. */
    status: z.int().nullable(),
    headers: z.array(Header),
    body: z.string(),
    delayMs: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal('failed'), failure: ScriptFailure }),
])
export type ScriptResult = z.infer<typeof ScriptResult>

export const ScriptRun = z.object({
  result: ScriptResult,
  /** Sentences: what a body that was written again lost, or what it changed and did not return. */
  notes: z.array(z.string()),
  /** What it logged, oldest first. Truncated if long. */
  log: z.array(z.string()),
  /** After the call, as JSON. */
  state: z.string(),
  /** Milliseconds. */
  durationMs: z.number(),
})
export type ScriptRun = z.infer<typeof ScriptRun>

const Source = z.string().max(maxScriptLength)

export const scriptCalls = {
  /** By name. */
  'scripts.list': { input: None, output: z.array(Script) },
  /**
   * Rules and targets that name it use it from the next delivery on. Without `replace`, throws `name_taken` if there is one of this name. Throws
   * `bad_input`, with `line` and `column` in its details, for a source that cannot be compiled.
   */
  'scripts.save': {
    input: z.object({ name: ScriptName, source: Source, replace: z.boolean().default(false) }),
    output: Script,
  },
  /** Throws `not_found`, and `in_use` if a rule or target names it. */
  'scripts.remove': { input: z.object({ name: ScriptName }), output: None },
  /** As a file with its name. Throws `not_found`, `file_failed`. */
  'scripts.export': {
    input: z.object({ name: ScriptName, to: SaveTo }),
    output: SavedFile,
  },
  /** Runs it on a stored delivery. Nothing is sent, and no state of a rule is used or changed. Throws `not_found`. */
  'scripts.run': {
    input: z.object({
      source: Source,
      deliveryId: Id,
      log: LogId,
      /** As JSON. */
      state: z.string().max(20_000).default('{}'),
    }),
    output: ScriptRun,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export const scriptPushes = {
  'scripts.changed': z.array(Script),
} as const satisfies Record<string, z.ZodType>
