/** Takes the words behind its name; resolves to the exit code. Throws `UsageError`, `AppError`. */
export type Command = (args: string[]) => Promise<number>

/** Each is loaded when it is asked for: most of them need little of what all of them together do. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  listen: async () => (await import('./listen.ts')).listen,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  integration: async () => (await import('./integration.ts')).integration,
  authorize: async () => (await import('./authorize.ts')).authorize,
  token: async () => (await import('./token.ts')).token,
  call: async () => (await import('./call.ts')).call,
  runs: async () => (await import('./runs.ts')).runs,
  tunnel: async () => (await import('./tunnel.ts')).tunnel,
  export: async () => (await import('./export.ts')).exportLog,
  import: async () => (await import('./import.ts')).importLogs,
  'self-check': async () => (await import('./self-check.ts')).selfCheck,
}
