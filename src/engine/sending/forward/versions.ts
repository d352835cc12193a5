import type { DraftContent } from '#contract/compose.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { ScriptResult, ScriptRun } from '#contract/scripts.ts'
import { quoteForeign } from '#shared/text/format.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { Holds } from '../hold/holds.ts'
import type { OtherResponse } from '../../receiving/listener/messages.ts'
import { describeFailure } from '../named-scripts.ts'
import type { SenderParts } from '../parts.ts'
import { draftOfScript } from '../prepare/prepare.ts'
import { withQuery } from '../prepare/request-target.ts'
import { parseTarget } from '../target.ts'

/** What is sent to a target instead of the captured request. */
export interface ForwardVersion {
  /** Null: as captured. */
  readonly content: DraftContent | null
  /** For the attempt. */
  readonly notes: readonly string[]
  readonly scriptFailed?: boolean
}

export type VersionOutcome =
  | { readonly kind: 'send'; readonly version: ForwardVersion }
  /** `reason`: a sentence. */
  | { readonly kind: 'skip'; readonly reason: string }
  /** Its script failed; it is forwarded once it is released. */
  | { readonly kind: 'held' }
  | { readonly kind: 'respond'; readonly response: OtherResponse; readonly reason: string }

export const unchanged: VersionOutcome = {
  kind: 'send',
  version: { content: null, notes: [] },
}

type Response = Extract<ScriptResult, { kind: 'response' }>

const maxLogNotes = 5

/** Order: script, hold, send. A script runs once for each delivery and target, not for each retry. */
export class ForwardVersions {
  readonly #parts: Pick<SenderParts, 'configuration' | 'runScript'>
  readonly #holds: Holds
  readonly #runs = new Map<string, Promise<ScriptRun>>()

  constructor(parts: Pick<SenderParts, 'configuration' | 'runScript'>, holds: Holds) {
    this.#parts = parts
    this.#holds = holds
  }

  /** Most targets have no script, and nothing is held: then this is all it costs. */
  isPlain(target: ForwardTarget): boolean {
    return target.script === null && !this.#holds.hasReleased
  }

  async of(target: ForwardTarget, captured: Captured): Promise<VersionOutcome> {
    const released = this.#holds.released(captured.id)
    const notes = released ? [released.note] : []
    if (released?.content) {
      const content = { ...released.content, url: urlFor(target, captured) }
      return { kind: 'send', version: { content, notes } }
    }
    const run = await this.run(target, captured)
    if (run === null) return { kind: 'send', version: { content: null, notes } }
    return this.#versionOf(target, captured, run, [...notes, ...run.notes])
  }

  /** Null: the target has no script. */
  async run(target: ForwardTarget, captured: Captured): Promise<ScriptRun | null> {
    if (target.script === null) return null
    const key = `${target.id} ${captured.id}`
    const known = this.#runs.get(key)
    if (known) return known
    const run = this.#parts.runScript(target.script, `forward ${target.id}`, captured)
    this.#runs.set(key, run)
    return run
  }

  /** The delivery has been sent to the target, or will not be. */
  forget(target: ForwardTarget, id: number): void {
    this.#runs.delete(`${target.id} ${id}`)
    this.#holds.settled(id)
  }

  #versionOf(
    target: ForwardTarget,
    captured: Captured,
    { result, log }: ScriptRun,
    notes: readonly string[],
  ): VersionOutcome {
    const name = target.script ?? ''
    const logged = log
      .slice(0, maxLogNotes)
      .map((line) => `The script “${name}” logged: ${quoteForeign(line)}`)
    switch (result.kind) {
      case 'none':
        return { kind: 'send', version: { content: null, notes: [...notes, ...logged] } }
      case 'request': {
        const endpoint = this.#parts.configuration.endpoint(captured.endpointId)
        const content = draftOfScript(captured, result, endpoint, urlFor(target, captured))
        const changed = `The script “${name}” changed it.`
        return { kind: 'send', version: { content, notes: [...notes, changed, ...logged] } }
      }
      case 'skip':
        return { kind: 'skip', reason: `The script “${name}” did not forward it.` }
      case 'response':
        return responded(target, result, name) ?? this.#failed(target, captured, wrongPlace, notes)
      case 'failed':
        return this.#failed(target, captured, describeFailure(name, result.failure), notes)
    }
  }

  #failed(
    target: ForwardTarget,
    { id }: Captured,
    reason: string,
    notes: readonly string[],
  ): VersionOutcome {
    const isHeld =
      target.onScriptFailure === 'hold' &&
      target.mode === 'after' &&
      this.#holds.released(id) === undefined &&
      this.#holds.holdFailed(id, target.id, reason)
    if (isHeld) return { kind: 'held' }
    return {
      kind: 'send',
      version: { content: null, notes: [...notes, reason], scriptFailed: true },
    }
  }
}

const wrongPlace =
  'The script returned a response, but the response of this target is not returned to the service. It was sent as captured.'

function responded(
  { mode }: ForwardTarget,
  { status, headers, body, delayMs }: Response,
  name: string,
): VersionOutcome | null {
  if (mode !== 'return') return null
  return {
    kind: 'respond',
    response: { by: 'rule', status, headers, body, delayMs },
    reason: `The script “${name}” responded, so it was not forwarded.`,
  }
}

function urlFor(target: ForwardTarget, { path }: Captured): string {
  return withQuery(parseTarget(target.url), path).href
}
