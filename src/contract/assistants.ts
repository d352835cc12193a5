import { z } from 'zod'
import { Id } from './models.ts'

/** A call of a coding assistant, which `tabscope mcp` serves. */
export const AssistantCall = z.object({
  /** Counts from 1 since Tabscope was started. */
  id: Id,
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The name that the assistant gives itself. */
  client: z.string(),
  tool: z.string(),
  /** The beginning of the arguments, as JSON. */
  arguments: z.string(),
  /** `failed`: the answer was an error. `refused`: the access was off. */
  outcome: z.enum(['running', 'done', 'failed', 'refused']),
  /** Null while it is running. */
  durationMs: z.number().nonnegative().nullable(),
})
export type AssistantCall = z.infer<typeof AssistantCall>

/** Texts of a call are cut to these lengths, in characters. */
export const assistantTexts = { client: 100, tool: 60, arguments: 300 } as const

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
  /** Before its answer leaves. Throws `access_off` if the access was turned off meanwhile. */
  'assistants.end': {
    input: z.object({ id: Id, outcome: z.enum(['done', 'failed']) }),
    output: z.object({}),
  },
  /** The newest calls, newest first, at most 500. */
  'assistants.list': { input: z.object({}), output: z.array(AssistantCall) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export const assistantPushes = {
  /** A call began or ended. */
  'assistants.called': AssistantCall,
} as const satisfies Record<string, z.ZodType>
