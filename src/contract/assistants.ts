import * as z from 'zod'
import { attemptErrorCodes } from './sending.ts'
import { Rehearsal } from './rehearsal.ts'
import { AssistantTarget, Id } from './models.ts'

export const AssistantRequest = z.object({
  target: AssistantTarget,
  /** What allowing it does, such as "Send ORDER_PLACED". */
  title: z.string(),
  /** The complete body, or the selected cases. */
  details: z.string(),
  /** When it is declined automatically, in milliseconds since the epoch. */
  until: z.number(),
})
export type AssistantRequest = z.infer<typeof AssistantRequest>

export const AssistantCall = z.object({
  /** Counts from 1 since Tabscope was started. */
  id: Id,
  at: z.number(),
  client: z.string(),
  tool: z.string(),
  /** The start of the arguments, as JSON. */
  arguments: z.string(),
  /** `waiting`: for the decision of the user about `request`. `failed`: the result was an error. `refused`: the access was off. */
  outcome: z.enum(['running', 'waiting', 'done', 'failed', 'refused']),
  /** Null: nothing to decide, or it is decided. */
  request: AssistantRequest.nullable(),
  durationMs: z.number().nonnegative().nullable(),
})
export type AssistantCall = z.infer<typeof AssistantCall>

export const assistantTexts = { client: 100, tool: 60, arguments: 300, details: 4000 } as const

/** Less than the 60 s after which many clients give up. */
export const assistantDecisionMs = 40_000

export const assistantCalls = {
  /** Before each call of an assistant. Throws `access_off` if the setting `assistantAccess` is off. */
  'assistants.begin': {
    input: z.object({
      client: z.string().max(assistantTexts.client),
      tool: z.string().max(assistantTexts.tool),
      arguments: z.string().max(assistantTexts.arguments),
    }),
    output: z.object({ id: Id }),
  },
  /** Before the result is sent. Throws `access_off` if the access was turned off meanwhile. */
  'assistants.end': {
    input: z.object({ id: Id, outcome: z.enum(['done', 'failed']) }),
    output: z.object({}),
  },
  /**
   * Sends a sample once the user has confirmed it, and keeps it as a draft. `fields` replaces fields of the sample (JSON Merge Patch, RFC 7396). `id`:
   * from `assistants.begin`. Throws `not_found`, `bad_input`, `confirmation_required` if nobody confirms, `declined`, `access_off`, `target_unconfirmed`,
   * `secret_unavailable`.
   */
  'assistants.send': {
    input: z.object({
      id: Id,
      target: z.string().max(40),
      type: z.string().max(200),
      fields: z.record(z.string(), z.json()),
    }),
    output: z.object({
      draftId: Id,
      status: z.int().nullable(),
      error: z.enum(attemptErrorCodes).nullable(),
      durationMs: z.number().nonnegative(),
    }),
  },
  /** Starts once the user has confirmed it. Throws the same errors as `assistants.send`. */
  'assistants.rehearse': {
    input: z.object({
      id: Id,
      target: z.string().max(40),
      /** IDs or prefixes of cases; empty: all except those with load. */
      only: z.array(z.string().min(1).max(20)).max(200),
      seed: z.int().nonnegative(),
    }),
    output: Rehearsal,
  },
  /** An interface or a terminal shows the request to the user. Without this within 2 seconds, the request is refused. */
  'assistants.shown': { input: z.object({ id: Id }), output: z.object({}) },
  /** The first decision counts. */
  'assistants.decide': {
    input: z.object({ id: Id, allowed: z.boolean() }),
    output: z.object({}),
  },
  /** Newest first, at most 500. */
  'assistants.list': { input: z.object({}), output: z.array(AssistantCall) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export const assistantPushes = {
  /** A call began or ended. */
  'assistants.called': AssistantCall,
} as const satisfies Record<string, z.ZodType>
