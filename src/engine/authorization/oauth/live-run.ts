import type { Run, RunAgent, RunFailureCode, RunStep } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import type { Finding } from '#contract/models.ts'
import { Masker } from '../../platform/masking/masker.ts'
import { maskQuery } from '../../platform/masking/secret-fields.ts'
import type { RunStore, SealedPart } from './store.ts'
import { failureOf, maskFinding, maskStep, newStep, type StepFields } from './record.ts'
import type { Bus } from '../../platform/event-bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { IntegrationRegistry } from '../../receiving/integrations/registry.ts'
import type { Network } from '../../platform/http/network.ts'
import type { EnginePorts } from '../../platform/ports.ts'
import type { TokenManager } from '../tokens/manager.ts'
import type { Tunnel } from '../../receiving/tunnel/tunnel.ts'

export interface RunPorts {
  readonly ports: EnginePorts
  readonly bus: Bus
  readonly clock: Clock
  readonly store: RunStore
  readonly tunnel: Tunnel
  readonly network: Network
  readonly integrations: IntegrationRegistry
  readonly tokens: TokenManager
}

export interface NewRun {
  readonly integrationId: number
  readonly kind: Run['kind']
  readonly agent: RunAgent | null
  readonly redirectUrl: string
}

type Base = Omit<Run, 'steps' | 'findings' | 'maskedValues'>

type Changing = Pick<
  Run,
  'state' | 'authorizeUrl' | 'acceptsPaste' | 'timeoutAt' | 'redirectUrl' | 'tokenId'
>

/**
 * Keeps the record of a run in memory, pushes every change (`authorization.changed`), and stores the record at the points where it must not be lost.
 * Texts are masked when they are read, so that a secret that becomes known late is masked in earlier steps too.
 */
export class LiveRun {
  readonly masker = new Masker()
  readonly #context: RunPorts
  readonly #sealed = new Map<string, Uint8Array>()
  readonly #steps: RunStep[] = []
  #run: Base
  #findings: readonly Finding[] = []
  #saving: Promise<void> = Promise.resolve()
  readonly #settled = Promise.withResolvers<void>()

  constructor(context: RunPorts, id: number, fields: ReturnType<typeof firstFields>) {
    this.#context = context
    const { steps: _, findings: _f, maskedValues: _m, ...run } = fields
    this.#run = { ...run, id }
    for (const secret of context.integrations.clearSecrets()) {
      this.masker.hold('access_secret', 'Access secret', secret)
    }
    for (const { name, label, value } of context.tokens.clearValues()) {
      this.masker.hold(name, label, value)
    }
  }

  get id(): number {
    return this.#run.id
  }

  get kind(): Run['kind'] {
    return this.#run.kind
  }

  get integrationId(): number {
    return this.#run.integrationId
  }

  /** Resolves when the run has ended and is read from the store from now on. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  settle(): void {
    this.#settled.resolve()
  }

  get over(): boolean {
    return this.#run.endedAt !== null
  }

  get stored(): Promise<void> {
    return this.#saving
  }

  view(): Run {
    const { masker } = this
    const steps = this.#steps.map((step) => maskStep(masker, step))
    const findings = this.#findings.map((finding) => maskFinding(masker, finding))
    const { failure } = this.#run
    const shown = {
      ...this.#run,
      failure: failure && {
        ...failure,
        message: masker.mask(failure.message),
        meaning: masker.mask(failure.meaning),
        remedy: masker.mask(failure.remedy),
      },
      steps,
      findings,
    }
    const text = JSON.stringify(shown)
    return {
      ...shown,
      // The masker knows more secrets than this record contains.
      maskedValues: masker.maskedValues().filter(({ name }) => text.includes(maskMarker(name))),
    }
  }

  /** Null if the record masks no value with that name. */
  reveal(name: string): string | null {
    if (!this.view().maskedValues.some((held) => held.name === name)) return null
    return this.masker.values().find((held) => held.name === name)?.value ?? null
  }

  /** The query may contain a code or a token. */
  maskUrl(url: string): string {
    return maskQuery(this.masker, url)
  }

  step(fields: StepFields): (change: Partial<RunStep>) => void {
    const index = this.#steps.push(newStep(fields, this.#context.clock.now())) - 1
    this.#push()
    return (change) => {
      const step = this.#steps[index]
      if (!step) return
      this.#steps[index] = { ...step, ...change }
      this.#push()
    }
  }

  /** `reason` consists of sentences. */
  reportUnstored(reason: string): void {
    this.step({
      kind: 'token',
      outcome: 'note',
      title: 'The token is not stored yet',
      detail: `${reason} The token is held in memory, and storing it is retried every second. Keep Tabscope open until it is stored.`,
    })
  }

  set(change: Partial<Changing>): void {
    this.#run = { ...this.#run, ...change }
    this.#push()
  }

  addFindings(findings: readonly Finding[]): void {
    this.#findings = [...this.#findings, ...findings]
  }

  /** Does nothing if the run has ended. Resolves when the end is stored. */
  async fail(code: RunFailureCode, message?: string): Promise<void> {
    if (this.over) return
    const { integrationId } = this.#run
    const integration = this.#context.integrations.views().find(({ id }) => id === integrationId)
    const failure = failureOf(code, this.kind, message, integration?.accessSecret.whiteSpaceAtEnds)
    await this.#end({ state: 'failed', failure })
  }

  /** Does nothing if the run has ended. Resolves when the end is stored. */
  async succeed(tokenId: number): Promise<void> {
    if (this.over) return
    await this.#end({ state: 'succeeded', tokenId })
  }

  /** Writes after earlier writes. Never rejects: a record that cannot be stored does not end the run. */
  save(): Promise<void> {
    const run = this.view()
    const clear = this.masker
      .values()
      .filter(({ name }) => run.maskedValues.some((held) => held.name === name))
    const before = this.#saving
    const write = async (): Promise<void> => {
      await before
      const secrets: SealedPart[] = []
      for (const { name, value } of clear) {
        secrets.push({ name, sealed: await this.#seal(name, value) })
      }
      await this.#context.store.writer.call('updateRun', { run, secrets })
    }
    this.#saving = write().catch((error: unknown) => {
      this.#context.ports.log.error(`the record of run ${run.id} cannot be stored`, error)
    })
    return this.#saving
  }

  async #end(change: Partial<Base>): Promise<void> {
    const endedAt = this.#context.clock.now()
    const waiting = this.#steps.findIndex(({ outcome }) => outcome === 'waiting')
    const step = this.#steps[waiting]
    if (step) {
      const outcome = change.state === 'failed' ? 'failed' : 'ok'
      this.#steps[waiting] = { ...step, outcome, durationMs: step.durationMs ?? endedAt - step.at }
    }
    this.#run = { ...this.#run, ...change, endedAt, acceptsPaste: false, timeoutAt: null }
    this.#push()
    await this.save()
  }

  async #seal(name: string, value: string): Promise<Uint8Array> {
    const known = this.#sealed.get(name)
    if (known) return known
    const sealed = await this.#context.ports.secrets.seal(value)
    this.#sealed.set(name, sealed)
    return sealed
  }

  #push(): void {
    this.#context.bus.push('authorization.changed', this.view())
  }
}

export function firstFields({ integrationId, kind, agent, redirectUrl }: NewRun, now: number) {
  return {
    integrationId,
    kind,
    agent,
    state: 'running',
    startedAt: now,
    endedAt: null,
    redirectUrl,
    failure: null,
    tokenId: null,
    authorizeUrl: null,
    acceptsPaste: false,
    timeoutAt: null,
    steps: [],
    findings: [],
    maskedValues: [],
  } as const satisfies Omit<Run, 'id'>
}
