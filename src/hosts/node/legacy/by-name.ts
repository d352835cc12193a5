/** Takes the words behind its name; resolves to the exit code. Throws `UsageError`, `AppError`. */
export type Command = (args: string[]) => Promise<number>

/** Each is loaded when it is asked for: most of them need little of what all of them together do. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  trigger: async () => (await import('./trigger.ts')).trigger,
  verify: async () => (await import('./verify.ts')).verify,
  resend: async () => (await import('./resend.ts')).resend,
  compose: async () => (await import('./compose.ts')).compose,
  forward: async () => (await import('./forward.ts')).forward,
  respond: async () => (await import('./respond.ts')).respond,
}
