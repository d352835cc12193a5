import {
  calls,
  type CallInput,
  type CallName,
  type CallOutput,
  type Handlers,
} from '#contract/calls.ts'
import type { WireError } from '#contract/errors.ts'
import { describeInputIssue } from '#contract/input-issues.ts'
import { AppError, badInput } from '../platform/errors.ts'
import type { Log } from '../platform/ports.ts'
import { storageFailure } from '../platform/storage-failure.ts'
import { createMutex, type Mutex } from '#shared/async/mutex.ts'

function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/**
 * Calls that change configuration run in the order received. Otherwise a call that starts the listener could use the port that the previous call is about
 * to change. `forwards` and `targets` must first resolve a host name, so they use the mutex themselves, afterwards.
 */
const configures = /^(endpoints|integrations|settings|listener|sandboxService|responses)\./

export interface Dispatch {
  /** Throws `AppError`. For callers in the same process. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  /** For calls received over a connection. Never throws. */
  answer(
    name: string,
    input: unknown,
  ): Promise<{ ok: true; output: unknown } | { ok: false; error: WireError }>
}

/**
 * The only place that validates input and converts errors to their wire format. If `allowed` is given, all other calls are rejected. `onDamage`: a call found
 * a damaged file; resolves to a better error, if there is one.
 */
export function createDispatch(
  handlers: Handlers,
  log: Log,
  turn: Mutex = createMutex(),
  allowed: ReadonlySet<CallName> | null = null,
  onDamage: () => Promise<AppError | null> = async () => null,
): Dispatch {
  async function run(name: CallName, input: unknown): Promise<unknown> {
    if (allowed && !allowed.has(name)) throw refused(name)
    const parsed = calls[name].input.safeParse(input, { error: describeInputIssue })
    if (!parsed.success) throw badInput(parsed.error)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handlers.ts checks the map entry by entry; TypeScript cannot follow a union of names through it
    const handler = handlers[name] as (input: unknown) => Promise<unknown>
    try {
      if (!configures.test(name)) return await handler(parsed.data)
      return await turn(() => handler(parsed.data))
    } catch (error) {
      const failure = storageFailure(error) ?? error
      const isDamage = failure instanceof AppError && failure.details?.['damaged'] === true
      throw (isDamage ? await onDamage() : null) ?? failure
    }
  }
  return {
    call: async (name, input) => {
      const output = await run(name, input)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above: the handler of `name` returns the output of `name`
      return output as CallOutput<typeof name>
    },
    answer: async (name, input) => {
      try {
        if (!isCallName(name)) {
          throw new AppError('bad_input', `Unknown call "${name}". Update Tabscope.`)
        }
        return { ok: true, output: await run(name, input) }
      } catch (error) {
        if (error instanceof AppError) return { ok: false, error: error.toWire() }
        const logId = log.error(`call ${name} failed`, error)
        return {
          ok: false,
          error: {
            code: 'internal',
            message: `Tabscope had an internal error. See the log entry ${logId}.`,
            retry: 'later',
            logId,
          },
        }
      }
    },
  }
}

/** They write nothing to the data folder and start neither the listener nor the sender. */
export const readCalls: ReadonlySet<CallName> = new Set<CallName>([
  'api.body',
  'api.curl',
  'api.exchange',
  'api.history',
  'api.reveal',
  'api.saved',
  'app.about',
  'app.snapshot',
  'assistants.begin',
  'assistants.end',
  'assistants.list',
  'attempts.body',
  'attempts.get',
  'attempts.list',
  'authorization.reveal',
  'authorization.run',
  'authorization.runs',
  'compose.get',
  'compose.list',
  'compose.original',
  'deliveries.body',
  'deliveries.conformance',
  'deliveries.diagnose',
  'deliveries.fields',
  'deliveries.get',
  'deliveries.headers',
  'deliveries.newer',
  'deliveries.page',
  'deliveries.related',
  'deliveries.signature',
  'deliveries.since',
  'deliveries.stored',
  'deliveries.timeline',
  'deliveries.groups',
  'deliveries.values',
  'deliveries.trace',
  'endpoints.activity',
  'endpoints.revealSecret',
  'filters.saved',
  'filters.suggest',
  'integrations.preflight',
  'integrations.probe',
  'integrations.revealAccessSecret',
  'jobs.get',
  'jobs.items',
  'jobs.list',
  'logs.authorization',
  'logs.cancelExport',
  'logs.dismissExport',
  'logs.export',
  'logs.formats',
  'logs.list',
  'logs.preview',
  'logs.pull',
  'logs.text',
  'hold.state',
  'generate.files',
  'generate.targets',
  'health.alerts',
  'health.coverage',
  'health.overview',
  'relay.list',
  'relay.read',
  'rehearsals.get',
  'rehearsals.list',
  'rehearsals.requests',
  'scenarios.get',
  'scenarios.list',
  'scripts.list',
  'targets.list',
  'tokens.copy',
  'tokens.list',
  'tokens.reveal',
  'tunnel.history',
  'tunnel.providers',
])

export function refused(name: string): AppError {
  return new AppError(
    'internal',
    `The data folder is open for reading only, and "${name}" would change it. This is a bug in Tabscope. Report it.`,
  )
}
