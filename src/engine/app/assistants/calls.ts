import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { eventTypes } from '#catalogue/catalogue.ts'
import {
  assistantDecisionMs,
  assistantTexts,
  type AssistantCall,
  type AssistantRequest,
} from '#contract/assistants.ts'
import type { CallOutput, Handlers, ParsedInput } from '#contract/calls.ts'
import type { AssistantTarget, Settings } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import type { Bus } from '../../platform/event-bus.ts'

interface AssistantPorts {
  readonly bus: Bus
  readonly settings: Pick<Settings, 'assistantAccess' | 'assistantTargets'>
}

type Actions = Pick<
  Handlers,
  'compose.start' | 'compose.save' | 'compose.send' | 'rehearsals.start'
>

const maxCalls = 500
const sendTimeoutMs = 10_000

/** What coding assistants did and what they ask for. Kept in memory only. */
export class AssistantCalls {
  readonly #ports: AssistantPorts
  readonly #actions: Actions
  readonly #calls = new Map<number, AssistantCall>()
  readonly requests = createRequests()
  #lastId = 0

  constructor(ports: AssistantPorts, actions: Actions) {
    this.#ports = ports
    this.#actions = actions
    ports.bus.on('settings.changed', ({ assistantAccess }) => {
      if (!assistantAccess) this.requests.decideAll('access off')
    })
  }

  list(): AssistantCall[] {
    return [...this.#calls.values()].toReversed()
  }

  /** Throws `access_off`, after recording the call too. */
  begin(input: ParsedInput<'assistants.begin'>): { id: number } {
    const isAllowed = this.#ports.settings.assistantAccess
    this.#lastId += 1
    const id = this.#lastId
    this.#put({
      id,
      at: Date.now(),
      ...input,
      outcome: isAllowed ? 'running' : 'refused',
      request: null,
      durationMs: isAllowed ? null : 0,
    })
    if (!isAllowed) throw accessOff()
    return { id }
  }

  /** Throws `access_off` if the user turned off the access in the meantime. */
  end({ id, outcome }: ParsedInput<'assistants.end'>): void {
    const isAllowed = this.#ports.settings.assistantAccess
    const call = this.#calls.get(id)
    if (call?.outcome === 'running') {
      const durationMs = Math.max(0, Date.now() - call.at)
      this.#put({ ...call, outcome: isAllowed ? outcome : 'refused', durationMs })
    }
    if (!isAllowed) throw accessOff()
  }

  /** Sends a sample with changed fields once the user has confirmed it. */
  async send(input: ParsedInput<'assistants.send'>): Promise<CallOutput<'assistants.send'>> {
    const target = this.#target(input.target)
    const type = typeOf(input.type)
    const content = await this.#draftContent(target, type, input.fields)
    const details = JSON.stringify(content.json, null, 2)
    // The user must see everything that is sent.
    if (details.length > assistantTexts.details) {
      throw new AppError(
        'bad_input',
        `The body has ${details.length} characters. The user can confirm at most ${assistantTexts.details}: send fewer or shorter fields.`,
      )
    }
    await this.#confirmed(input.id, target, { title: `Send ${type}`, details })
    const draft = await this.#actions['compose.save']({ content: content.draft })
    const attempt = await this.#actions['compose.send']({
      id: draft.id,
      content: content.draft,
      timeout: sendTimeoutMs,
      insecure: false,
    })
    return {
      draftId: draft.id,
      status: attempt.status,
      error: attempt.error?.code ?? null,
      durationMs: attempt.durationMs,
    }
  }

  async rehearse({
    id,
    target: name,
    only,
    seed,
  }: ParsedInput<'assistants.rehearse'>): Promise<CallOutput<'assistants.rehearse'>> {
    const target = this.#target(name)
    const details = only.length === 0 ? 'All cases, except those with load' : only.join(', ')
    await this.#confirmed(id, target, { title: 'Rehearse the handler', details })
    return this.#actions['rehearsals.start']({
      url: target.url,
      endpointId: target.endpointId,
      only,
      skip: [],
      seed,
      accept: [],
      acknowledgesFirst: false,
      observer: { kind: 'none' },
      load: false,
      requestTimeout: 15_000,
      runTimeout: 600_000,
      secretOption: '',
      allowTarget: false,
    })
  }

  #put(call: AssistantCall): void {
    this.#calls.set(call.id, call)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > maxCalls && oldest !== undefined) this.#calls.delete(oldest)
    this.#ports.bus.push('assistants.called', call)
  }

  #target(name: string): AssistantTarget {
    const { assistantTargets: targets } = this.#ports.settings
    const found = targets.find((target) => target.name === name)
    if (found) return found
    const names = targets.map((target) => target.name).join(', ')
    throw new AppError(
      'not_found',
      `No target has this name. ${names === '' ? 'The user has not added any.' : `Available: ${names}.`} The user adds targets in Tabscope, on the page Assistant activity, or with: tabscope mcp target add`,
    )
  }

  async #draftContent(
    { name, endpointId, url }: AssistantTarget,
    type: string,
    fields: ParsedInput<'assistants.send'>['fields'],
  ) {
    const sample = await this.#actions['compose.start']({
      from: { kind: 'sample', type },
      endpointId,
    })
    if (endpointId !== null && sample.endpointId !== endpointId) {
      throw new AppError(
        'not_found',
        `The endpoint of the target ${name} was removed. The user selects another one in Tabscope, on the page Assistant activity.`,
      )
    }
    if (sample.body.kind !== 'bytes') throw new Error('a sample without a body')
    const json = mergePatch(JSON.parse(new TextDecoder().decode(sample.body.bytes)), fields)
    const bytes = new TextEncoder().encode(JSON.stringify(json))
    const draft = { ...sample, url, endpointId, body: { kind: 'bytes' as const, bytes } }
    return { json, draft }
  }

  /** Waits until the user has confirmed what a call is about to do. Throws like `Requests.allowed`, and `bad_input`. */
  async #confirmed(
    id: number,
    target: AssistantTarget,
    { title, details }: { title: string; details: string },
  ): Promise<void> {
    const call = this.#calls.get(id)
    if (call?.outcome !== 'running') throw new AppError('bad_input', `Call ${id} is not running.`)
    if (!this.#ports.settings.assistantAccess) throw accessOff()
    const until = Date.now() + assistantDecisionMs
    const request = { target, title, details: truncated(details), until }
    try {
      await this.requests.allowed(id, request, () =>
        this.#put({ ...call, outcome: 'waiting', request }),
      )
    } finally {
      this.#put(call)
    }
  }
}

function typeOf(text: string): string {
  const types = eventTypes.map(({ type }) => type)
  if (types.includes(text)) return text
  throw new AppError('bad_input', `Use one of these event types: ${types.join(', ')}.`)
}

function truncated(text: string): string {
  const { details: length } = assistantTexts
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more)`
}

type Json = z.core.util.JSONType

/** JSON Merge Patch (RFC 7396): objects are merged, null removes a field, any other value replaces it. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key) ?? null, value))
  }
  return Object.fromEntries(merged)
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const shownMs = 2000

type Decision = 'allowed' | 'declined' | 'access off'

interface Waiting {
  readonly shown: PromiseWithResolvers<void>
  readonly decided: PromiseWithResolvers<Decision>
}

function createRequests() {
  const all = new Map<number, Waiting>()
  const decide = (id: number, decision: Decision): void => all.get(id)?.decided.resolve(decision)
  return {
    /**
     * Waits for the user's decision. `show` makes the request known to all interfaces. Throws `declined`, `access_off`, and `confirmation_required` if
     * nobody is there or decides until `request.until`.
     */
    async allowed(id: number, { until }: AssistantRequest, show: () => void): Promise<void> {
      const waiting: Waiting = {
        shown: Promise.withResolvers<void>(),
        decided: Promise.withResolvers<Decision>(),
      }
      all.set(id, waiting)
      const ended = new AbortController()
      const limit = <T>(ms: number, value: T): Promise<T> =>
        pause(ms, value, { signal: ended.signal, ref: false })
      try {
        show()
        const seen = await Promise.race([
          waiting.shown.promise.then(() => true),
          waiting.decided.promise.then(() => true),
          limit(shownMs, false),
        ])
        const decision = seen
          ? await Promise.race([
              waiting.decided.promise,
              limit(until - Date.now(), 'late' as const),
            ])
          : 'nobody'
        if (decision !== 'allowed') throw refusals[decision]()
      } finally {
        all.delete(id)
        ended.abort()
      }
    },
    shown: (id: number) => all.get(id)?.shown.resolve(),
    /** Has no effect on a request that is already decided. */
    decide,
    decideAll: (decision: Decision) => {
      for (const id of all.keys()) decide(id, decision)
    },
  }
}

function accessOff(): AppError {
  return new AppError(
    'access_off',
    'The user has turned off the access of coding assistants. They can turn it on in Tabscope, on the page Assistant activity.',
  )
}

const refusals = {
  declined: () => new AppError('declined', 'The user declined this request.'),
  'access off': accessOff,
  late: () =>
    new AppError(
      'confirmation_required',
      'The user did not confirm in time. Nothing was sent. Ask the user to confirm in Tabscope, then retry.',
    ),
  nobody: () =>
    new AppError(
      'confirmation_required',
      'Nobody can confirm: no interface of Tabscope is open, and tabscope listen does not run in a terminal. Nothing was sent. Ask the user to open Tabscope, then retry.',
    ),
} satisfies Record<Exclude<Decision, 'allowed'> | 'late' | 'nobody', () => AppError>
