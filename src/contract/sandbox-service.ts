import { z } from 'zod'

/** The service in miniature: authorization page, token endpoint, a resource made up. */
export const SandboxService = z.object({
  running: z.boolean(),
  /** Null while it does not run. */
  baseUrl: z.string().nullable(),
  dashboardUrl: z.string().nullable(),
  redirectUrls: z.array(z.string()),
  users: z.array(z.object({ name: z.string(), locations: z.array(z.string()) })),
  /** Seconds. */
  tokenLifetime: z.int().positive(),
  /** Every fault there is, and whether it is on. */
  faults: z.array(z.object({ name: z.string(), label: z.string(), on: z.boolean() })),
  /** Tokens that are issued and alive. */
  tokens: z.int().nonnegative(),
})
export type SandboxService = z.infer<typeof SandboxService>

const None = z.object({})

export const sandboxServiceCalls = {
  /** Starts it, and fills in the integration of kind `sandbox`. */
  'sandboxService.start': { input: None, output: SandboxService },
  'sandboxService.stop': { input: None, output: SandboxService },
  'sandboxService.configure': {
    input: z.object({
      tokenLifetime: z
        .int()
        .min(1)
        .max(10 * 86_400)
        .optional(),
      /** Names of the faults that are on; all others are off. */
      faults: z.array(z.string().max(60)).max(50).optional(),
    }),
    output: SandboxService,
  },
  /** Every token of it: the next call with one meets 401. */
  'sandboxService.revokeTokens': { input: None, output: SandboxService },
  'sandboxService.expireTokens': { input: None, output: SandboxService },
  /** Opens its dashboard in the system's browser. */
  'sandboxService.openDashboard': { input: None, output: z.object({ opened: z.boolean() }) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
