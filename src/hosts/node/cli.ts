import { AppError } from '#engine/errors.ts'
import { SandboxError } from '#sandbox/errors.ts'
import type { SandboxErrorCode } from '#sandbox/errors.ts'
import { BadFilter } from './filter-option.ts'
import { endWithReader, say, writeLine } from './output.ts'
import { printable } from '../printable.ts'
import { usage, UsageError } from './usage.ts'

type Command = (args: string[]) => Promise<number>

/** Each is loaded when it is asked for: most of them need little of what all of them together do. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  listen: async () => (await import('./commands/listen.ts')).listen,
  trigger: async () => (await import('./commands/trigger.ts')).trigger,
  deliveries: async () => (await import('./commands/deliveries.ts')).deliveries,
  conformance: async () => (await import('./commands/conformance.ts')).conformance,
  verify: async () => (await import('./commands/verify.ts')).verify,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  integration: async () => (await import('./commands/integration.ts')).integration,
  authorize: async () => (await import('./commands/authorize.ts')).authorize,
  token: async () => (await import('./commands/token.ts')).token,
  call: async () => (await import('./commands/call.ts')).call,
  runs: async () => (await import('./commands/runs.ts')).runs,
  resend: async () => (await import('./commands/resend.ts')).resend,
  compose: async () => (await import('./commands/compose.ts')).compose,
  forward: async () => (await import('./commands/forward.ts')).forward,
  respond: async () => (await import('./commands/respond.ts')).respond,
  tunnel: async () => (await import('./commands/tunnel.ts')).tunnel,
  export: async () => (await import('./commands/export.ts')).exportLog,
  import: async () => (await import('./commands/import.ts')).importLogs,
  logs: async () => (await import('./commands/logs.ts')).logs,
}

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    writeLine(usage)
    return name === undefined ? 2 : 0
  }
  if (rest.includes('--help')) {
    writeLine(usage)
    return 0
  }
  const load = Object.entries(commands).find(([key]) => key === name)?.[1]
  if (!load) throw new UsageError(`There is no command "${name}".`)
  const command = await load()
  return command(rest)
}

/** What the sandbox may meet whatever the words of the command. */
const notTheirWords: ReadonlySet<SandboxErrorCode> = new Set(['unreachable', 'port_in_use'])

/** What went wrong, in words, and the exit code for it. */
function explain(error: unknown): number {
  if (error instanceof BadFilter) {
    say(error.message)
    return 2
  }
  if (error instanceof UsageError) {
    say(`${printable(error.message)}\n\n${usage}`)
    return 2
  }
  if (error instanceof AppError || error instanceof SandboxError) {
    say(printable(error.message))
    return error instanceof SandboxError && !notTheirWords.has(error.code) ? 2 : 1
  }
  say(error instanceof Error ? (error.stack ?? error.message) : 'Something went wrong.')
  return 1
}

endWithReader()
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = explain(error)
}
// Threads and sockets are closed by now; whatever a library left open must not keep the process.
// All of the output goes first: an empty write is called back behind it.
process.stdout.write('', () => process.exit())
