import { z } from 'zod'
import { commandsBound, commandWanted } from './handover-names.ts'

/** Names of commands (`commands.ts`). */
export const CommandsBound = z.object({
  kind: z.literal(commandsBound),
  names: z.array(z.string().max(100)).max(500),
})
export type CommandsBound = z.infer<typeof CommandsBound>

export const CommandWanted = z.object({
  kind: z.literal(commandWanted),
  name: z.string().max(100),
})
export type CommandWanted = z.infer<typeof CommandWanted>
