import type { AssistantCall } from '#contract/assistants.ts'
import type { Handlers, ParsedInput } from '#contract/calls.ts'
import type { Settings } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'
import type { Bus } from '../platform/event-bus.ts'

/** Dependencies of the calls about coding assistants. */
export interface AssistantPorts {
  readonly bus: Bus
  readonly settings: Pick<Settings, 'assistantAccess'>
}

/** Older calls are forgotten. */
const mostCalls = 500

/** The calls about coding assistants, by name. What assistants did is kept in memory only. */
export function assistantRoutes(ports: AssistantPorts) {
  const calls = new Map<number, AssistantCall>()
  let lastId = 0
  const keep = (call: AssistantCall): void => {
    calls.set(call.id, call)
    const [oldest] = calls.keys()
    if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest)
    ports.bus.push('assistants.called', call)
  }
  return {
    'assistants.begin': async (input: ParsedInput<'assistants.begin'>) => {
      const allowed = ports.settings.assistantAccess
      lastId += 1
      const id = lastId
      const [outcome, durationMs] = allowed
        ? (['running', null] as const)
        : (['refused', 0] as const)
      keep({ id, at: Date.now(), ...input, outcome, durationMs })
      if (!allowed) throw accessOff()
      return { id }
    },
    'assistants.end': async ({ id, outcome }: ParsedInput<'assistants.end'>) => {
      const allowed = ports.settings.assistantAccess
      const call = calls.get(id)
      if (call?.outcome === 'running') {
        const durationMs = Math.max(0, Date.now() - call.at)
        keep({ ...call, outcome: allowed ? outcome : 'refused', durationMs })
      }
      if (!allowed) throw accessOff()
      return {}
    },
    'assistants.list': async () => [...calls.values()].toReversed(),
  } satisfies Partial<Handlers>
}

function accessOff(): AppError {
  return new AppError(
    'access_off',
    'The user has turned off the access of coding assistants. They can turn it on in Tabscope, on the page Assistant activity.',
  )
}
