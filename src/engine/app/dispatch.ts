import { calls, type CallInput, type CallName, type CallOutput } from '#contract/calls.ts'
import type { WireError } from '#contract/errors.ts'
import { AppError, badInput } from '../platform/errors.ts'
import type { Handlers } from '#contract/calls.ts'
import type { Log } from '../platform/ports.ts'
import { refused } from './read-calls.ts'
import { storageFailure } from '../platform/storage-failure.ts'
import { createMutex, type Mutex } from '#shared/async/mutex.ts'

function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/**
 * Calls that read what is set, change it and write it run one after the other, in the order in which they came: else one that starts
 * the listener would still find the port that the one before it is about to change. Those that look up a name first (`forwards`,
 * `targets`) take their turn themselves, behind it.
 */
const configures = /^(endpoints|integrations|settings|listener|sandboxService|responses)\./

export interface Dispatch {
  /** Parses, runs, returns; throws `AppError`. For callers in the same process. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  /** The same for a call that came over a wire: never throws. */
  answer(
    name: string,
    input: unknown,
  ): Promise<{ ok: true; output: unknown } | { ok: false; error: WireError }>
}

/** The one place that parses what came in, and that turns a throw into an error for the wire. With `allowed` all other calls are refused. */
export function createDispatch(
  handlers: Handlers,
  log: Log,
  turn: Mutex = createMutex(),
  allowed: ReadonlySet<CallName> | null = null,
): Dispatch {
  async function run(name: CallName, input: unknown): Promise<unknown> {
    if (allowed && !allowed.has(name)) throw refused(name)
    const parsed = calls[name].input.safeParse(input)
    if (!parsed.success) throw badInput(parsed.error)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handlers.ts checks the map entry by entry; TypeScript cannot follow a union of names through it
    const handler = handlers[name] as (input: unknown) => Promise<unknown>
    try {
      if (!configures.test(name)) return await handler(parsed.data)
      return await turn(() => handler(parsed.data))
    } catch (error) {
      throw storageFailure(error) ?? error
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
          throw new AppError('bad_input', `There is no call "${name}". Update Tabscope.`)
        }
        return { ok: true, output: await run(name, input) }
      } catch (error) {
        if (error instanceof AppError) return { ok: false, error: error.toWire() }
        const logId = log.error(`call ${name} failed`, error)
        return {
          ok: false,
          error: {
            code: 'internal',
            message: `Tabscope has an internal error. See the log entry ${logId}.`,
            retry: 'later',
            logId,
          },
        }
      }
    },
  }
}
