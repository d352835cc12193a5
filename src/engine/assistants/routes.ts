import { assistantDecisionMs, assistantTexts, type AssistantCall } from '#contract/assistants.ts'
import type { CallOutput, Handlers, ParsedInput } from '#contract/calls.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { AssistantTarget, Settings } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'
import type { Bus } from '../platform/event-bus.ts'
import { mergePatch } from './merge-patch.ts'
import { accessOff, createRequests } from './requests.ts'

/** Dependencies of the calls about coding assistants. */
export interface AssistantPorts {
  readonly bus: Bus
  readonly settings: Pick<Settings, 'assistantAccess' | 'assistantTargets'>
}

/** What is done for assistants with the confirmation of the user. */
type Actions = Pick<
  Handlers,
  'compose.start' | 'compose.save' | 'compose.send' | 'rehearsals.start'
>

/** Older calls are forgotten. */
const mostCalls = 500
/** Time limit of a request that is sent for an assistant, in milliseconds. */
const sendTimeoutMs = 10_000

/** The calls about coding assistants, by name. What assistants did is kept in memory only. */
export function assistantRoutes(ports: AssistantPorts, actions: Actions) {
  const calls = new Map<number, AssistantCall>()
  const requests = createRequests()
  let lastId = 0
  const keep = (call: AssistantCall): void => {
    calls.set(call.id, call)
    const [oldest] = calls.keys()
    if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest)
    ports.bus.push('assistants.called', call)
  }
  ports.bus.on('settings.changed', ({ assistantAccess }) => {
    if (!assistantAccess) requests.decideAll('access off')
  })

  /** The target with a name. Throws `not_found`. */
  const targetOf = (name: string): AssistantTarget => {
    const { assistantTargets: targets } = ports.settings
    const found = targets.find((target) => target.name === name)
    if (found) return found
    const names = targets.map((target) => target.name).join(', ')
    throw new AppError(
      'not_found',
      `No target has this name. ${names === '' ? 'The user has not added any.' : `Available: ${names}.`} The user adds targets in Tabscope, on the page Assistant activity, or with: tabscope mcp target add`,
    )
  }

  /** Waits until the user has confirmed what a running call is about to do. Throws like `Requests.allowed`, and `bad_input`. */
  const confirmed = async (
    id: number,
    target: AssistantTarget,
    { title, details }: { title: string; details: string },
  ): Promise<void> => {
    const call = calls.get(id)
    if (call?.outcome !== 'running') throw new AppError('bad_input', `Call ${id} is not running.`)
    if (!ports.settings.assistantAccess) throw accessOff()
    const until = Date.now() + assistantDecisionMs
    const request = { target, title, details: cut(details), until }
    try {
      await requests.allowed(id, request, () => keep({ ...call, outcome: 'waiting', request }))
    } finally {
      keep(call)
    }
  }

  const send = async (
    input: ParsedInput<'assistants.send'>,
  ): Promise<CallOutput<'assistants.send'>> => {
    const target = targetOf(input.target)
    const { endpointId, url } = target
    const type = typeOf(input.type)
    const sample = await actions['compose.start']({ from: { kind: 'sample', type }, endpointId })
    if (endpointId !== null && sample.endpointId !== endpointId) {
      throw new AppError(
        'not_found',
        `The endpoint of the target ${target.name} was removed. The user selects another one in Tabscope, on the page Assistant activity.`,
      )
    }
    if (sample.body.kind !== 'bytes') throw new Error('a sample without a body')
    const body = mergePatch(JSON.parse(new TextDecoder().decode(sample.body.bytes)), input.fields)
    const content = {
      ...sample,
      url,
      endpointId,
      body: { kind: 'bytes' as const, bytes: new TextEncoder().encode(JSON.stringify(body)) },
    }
    const details = JSON.stringify(body, null, 2)
    // The user must see everything that is sent.
    if (details.length > assistantTexts.details) {
      throw new AppError(
        'bad_input',
        `The body has ${details.length} characters. The user can confirm at most ${assistantTexts.details}: send fewer or shorter fields.`,
      )
    }
    await confirmed(input.id, target, { title: `Send ${type}`, details })
    const draft = await actions['compose.save']({ content })
    const attempt = await actions['compose.send']({
      id: draft.id,
      content,
      timeout: sendTimeoutMs,
      insecure: false,
    })
    return {
      draftId: draft.id,
      status: attempt.status,
      error: attempt.error?.code ?? null,
      durationMs: attempt.took,
    }
  }

  const rehearse = async ({
    id,
    target: name,
    only,
    seed,
  }: ParsedInput<'assistants.rehearse'>): Promise<CallOutput<'assistants.rehearse'>> => {
    const target = targetOf(name)
    const details = only.length === 0 ? 'All cases, except those with load' : only.join(', ')
    await confirmed(id, target, { title: 'Rehearse the handler', details })
    return actions['rehearsals.start']({
      url: target.url,
      endpointId: target.endpointId,
      only,
      skip: [],
      seed,
      accept: [],
      acknowledgesFirst: false,
      oracle: { kind: 'none' },
      load: false,
      requestTimeout: 15_000,
      runTimeout: 600_000,
      secretOption: '',
      allowTarget: false,
    })
  }

  return {
    'assistants.begin': async (input: ParsedInput<'assistants.begin'>) => {
      const allowed = ports.settings.assistantAccess
      lastId += 1
      const id = lastId
      const [outcome, durationMs] = allowed
        ? (['running', null] as const)
        : (['refused', 0] as const)
      keep({ id, at: Date.now(), ...input, outcome, request: null, durationMs })
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
    'assistants.send': send,
    'assistants.rehearse': rehearse,
    'assistants.shown': async ({ id }: ParsedInput<'assistants.shown'>) => {
      requests.shown(id)
      return {}
    },
    'assistants.decide': async ({ id, allowed }: ParsedInput<'assistants.decide'>) => {
      requests.decide(id, allowed ? 'allowed' : 'declined')
      return {}
    },
    'assistants.list': async () => [...calls.values()].toReversed(),
  } satisfies Partial<Handlers>
}

/** Throws `bad_input`. */
function typeOf(text: string): string {
  const types = eventTypes.map(({ type }) => type)
  if (types.includes(text)) return text
  throw new AppError('bad_input', `Use one of these event types: ${types.join(', ')}.`)
}

function cut(text: string): string {
  const { details: length } = assistantTexts
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more)`
}
