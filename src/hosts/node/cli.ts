import { AppError } from '#engine/errors.ts'
import { SandboxError } from '#sandbox/errors.ts'
import type { SandboxErrorCode } from '#sandbox/errors.ts'
import { authorize } from './commands/authorize.ts'
import { call } from './commands/call.ts'
import { compose } from './commands/compose.ts'
import { conformance } from './commands/conformance.ts'
import { deliveries } from './commands/deliveries.ts'
import { exportLog } from './commands/export.ts'
import { forward } from './commands/forward.ts'
import { importLogs } from './commands/import.ts'
import { integration } from './commands/integration.ts'
import { listen } from './commands/listen.ts'
import { logs } from './commands/logs.ts'
import { resend } from './commands/resend.ts'
import { respond } from './commands/respond.ts'
import { sandbox } from './commands/sandbox.ts'
import { runs } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { token } from './commands/token.ts'
import { trigger } from './commands/trigger.ts'
import { tunnel } from './commands/tunnel.ts'
import { verify } from './commands/verify.ts'
import { BadFilter } from './filter-option.ts'
import { endWithReader, say, writeLine } from './output.ts'
import { printable } from '../printable.ts'
import { usage, UsageError } from './usage.ts'

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  serve,
  listen,
  trigger,
  deliveries,
  conformance,
  verify,
  sandbox,
  integration,
  authorize,
  token,
  call,
  runs,
  resend,
  compose,
  forward,
  respond,
  tunnel,
  export: exportLog,
  import: importLogs,
  logs,
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
  const command = Object.entries(commands).find(([key]) => key === name)?.[1]
  if (!command) throw new UsageError(`There is no command "${name}".`)
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
