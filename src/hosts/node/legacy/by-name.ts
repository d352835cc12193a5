/** Takes the words behind its name; resolves to the exit code. Throws `UsageError`, `AppError`. */
export type Command = (args: string[]) => Promise<number>

/** Each is loaded when it is asked for: most of them need little of what all of them together do. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  listen: async () => (await import('./listen.ts')).listen,
  wait: async () => (await import('./wait.ts')).wait,
  trigger: async () => (await import('./trigger.ts')).trigger,
  deliveries: async () => (await import('./deliveries.ts')).deliveries,
  conformance: async () => (await import('./conformance.ts')).conformance,
  verify: async () => (await import('./verify.ts')).verify,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  integration: async () => (await import('./integration.ts')).integration,
  authorize: async () => (await import('./authorize.ts')).authorize,
  token: async () => (await import('./token.ts')).token,
  call: async () => (await import('./call.ts')).call,
  runs: async () => (await import('./runs.ts')).runs,
  resend: async () => (await import('./resend.ts')).resend,
  compose: async () => (await import('./compose.ts')).compose,
  forward: async () => (await import('./forward.ts')).forward,
  respond: async () => (await import('./respond.ts')).respond,
  tunnel: async () => (await import('./tunnel.ts')).tunnel,
  export: async () => (await import('./export.ts')).exportLog,
  import: async () => (await import('./import.ts')).importLogs,
  'self-check': async () => (await import('./self-check.ts')).selfCheck,
}
