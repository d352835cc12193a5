import * as z from 'zod'
import { None } from './models.ts'

/** Authorization page, token endpoint, and a fictional resource. */
export const SandboxService = z.object({
  running: z.boolean(),
  baseUrl: z.string().nullable(),
  redirectUrls: z.array(z.string()),
  users: z.array(z.object({ name: z.string(), locations: z.array(z.string()) })),
  /** Seconds. */
  tokenLifetime: z.int().positive(),
  faults: z.array(z.object({ name: z.string(), label: z.string(), on: z.boolean() })),
  tokens: z.int().nonnegative(),
})
export type SandboxService = z.infer<typeof SandboxService>

export const sandboxServiceCalls = {
  /** Fills in the integration of kind `sandbox`. */
  'sandboxService.start': { input: None, output: SandboxService },
  'sandboxService.stop': { input: None, output: SandboxService },
  'sandboxService.configure': {
    input: z.object({
      tokenLifetime: z
        .int()
        .min(1)
        .max(10 * 86_400)
        .optional(),
      /** The active ones. All others are inactive. */
      faults: z.array(z.string().max(60)).max(50).optional(),
    }),
    output: SandboxService,
  },
  /** The next call with one of them gets 401. */
  'sandboxService.revokeTokens': { input: None, output: SandboxService },
  'sandboxService.expireTokens': { input: None, output: SandboxService },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
