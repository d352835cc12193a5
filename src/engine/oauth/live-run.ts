import type { Run, RunAgent, RunFailureCode, RunStep } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import type { Finding, SecretView } from '#contract/models.ts'
import type { RunPorts } from './ports.ts'
import { Masker } from '../platform/masking/masker.ts'
import { maskQuery } from '../platform/masking/secret-fields.ts'
import type { SealedPart } from './store.ts'
import type { TokenGrant } from './grant.ts'
import { failureOf, maskFinding, maskStep, newStep, type StepFields } from './record.ts'

/** The row in which the grant of a refused answer lies sealed; no marker can have this name. */
export const refusedGrantName = '(refused grant)'

export interface NewRun {
  readonly integrationId: number
  readonly kind: Run['kind']
  /** Null for a refresh. */
  readonly agent: RunAgent | null
  /** Empty for a refresh. */
  readonly redirectUrl: string
}

/** What is kept apart from the steps, as it is shown. */
type Base = Omit<Run, 'steps' | 'findings' | 'heldBack' | 'hasRefusedToken'>

/** Something that a run knows of itself, beside its steps. */
type Changing = Pick<
  Run,
  'state' | 'authorizeUrl' | 'takesPaste' | 'waitsUntil' | 'redirectUrl' | 'tokenId'
>

/**
 * One run while it goes on: its record in memory, told with every change (`authorization.changed`), stored where it must not be lost. All texts go
 * through its masker when they are shown, so that what comes to be known late is taken out of what was written early.
 */
export class LiveRun {
  readonly masker = new Masker()
  readonly #context: RunPorts
  readonly #sealed = new Map<string, Uint8Array>()
  readonly #steps: RunStep[] = []
  #run: Base
  #findings: readonly Finding[] = []
  #refused: TokenGrant | null = null
  #saving: Promise<void> = Promise.resolve()
  readonly #settled = Promise.withResolvers<void>()

  constructor(context: RunPorts, id: number, fields: ReturnType<typeof firstFields>) {
    this.#context = context
    const { steps: _, findings: _f, heldBack: _h, hasRefusedToken: _r, ...run } = fields
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

  get integrationId(): number {
    return this.#run.integrationId
  }

  /** Resolves when it is over, stored, and read from the store alone. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  settle(): void {
    this.#settled.resolve()
  }

  get over(): boolean {
    return this.#run.endedAt !== null
  }

  /** Resolves when all that was to be written is in the store. */
  get stored(): Promise<void> {
    return this.#saving
  }

  /** The record as it may be shown. */
  view(): Run {
    const { masker } = this
    const steps = this.#steps.map((step) => maskStep(masker, step))
    const findings = this.#findings.map((finding) => maskFinding(masker, finding))
    const { failure } = this.#run
    const shown = {
      ...this.#run,
      failure: failure && { ...failure, message: masker.mask(failure.message) },
      steps,
      findings,
    }
    const text = JSON.stringify(shown)
    return {
      ...shown,
      // Everything known is held, but listed is only what the record has a marker of.
      heldBack: masker.heldBack().filter(({ name }) => text.includes(maskMarker(name))),
      hasRefusedToken: this.#refused !== null,
    }
  }

  /** A value that the record holds back, in clear text; null when it holds none under that name. */
  reveal(name: string): string | null {
    if (!this.view().heldBack.some((held) => held.name === name)) return null
    return this.masker.values().find((held) => held.name === name)?.value ?? null
  }

  /** An address whose query may carry a code or a token of somebody. */
  maskUrl(url: string): string {
    return maskQuery(this.masker, url)
  }

  /** Adds a step and tells of it. Returns the way to change it while it goes on. */
  step(fields: StepFields): (change: Partial<RunStep>) => void {
    const index = this.#steps.push(newStep(fields, this.#context.clock.now())) - 1
    this.#tell()
    return (change) => {
      const step = this.#steps[index]
      if (!step) return
      this.#steps[index] = { ...step, ...change }
      this.#tell()
    }
  }

  /** Says that the token of this run cannot be stored for now; `reason` is sentences. */
  isUnstored(reason: string): void {
    this.step({
      kind: 'token',
      outcome: 'note',
      title: 'The token is not stored yet',
      detail: `${reason} The token is held in memory, and storing it is retried every second. Keep Tabscope open until it is stored.`,
    })
  }

  set(change: Partial<Changing>): void {
    this.#run = { ...this.#run, ...change }
    this.#tell()
  }

  found(findings: readonly Finding[]): void {
    this.#findings = [...this.#findings, ...findings]
  }

  /** Keeps the grant of a refused answer, sealed with the record, so that nothing is lost (`authorization.keepToken`). */
  keepAside(grant: TokenGrant): void {
    this.#refused = grant
  }

  /** Ends it; only the first end counts. Resolves when it is stored. */
  async fail(code: RunFailureCode, message?: string): Promise<void> {
    if (this.over) return
    await this.#end({
      state: 'failed',
      failure: failureOf(code, message, this.#run.kind, this.#accessSecret()),
    })
  }

  #accessSecret(): Pick<SecretView, 'whiteSpaceAtEnds'> {
    const { integrationId } = this.#run
    const views = this.#context.integrations.views()
    return views.find(({ id }) => id === integrationId)?.accessSecret ?? {}
  }

  /** As `fail`. */
  async succeed(tokenId: number): Promise<void> {
    if (this.over) return
    await this.#end({ state: 'succeeded', tokenId })
  }

  /** Writes the record as it is now, after what was written before. Never rejects: a record that cannot be stored ends no run. */
  save(): Promise<void> {
    const run = this.view()
    const refused = this.#refused
    const clear = this.masker
      .values()
      .filter(({ name }) => run.heldBack.some((held) => held.name === name))
    if (refused) clear.push({ name: refusedGrantName, value: JSON.stringify(refused) })
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
    const left = this.#steps.findIndex(({ outcome }) => outcome === 'waiting')
    const step = this.#steps[left]
    if (step) {
      const outcome = change.state === 'failed' ? 'failed' : 'ok'
      this.#steps[left] = { ...step, outcome, took: step.took ?? endedAt - step.at }
    }
    this.#run = { ...this.#run, ...change, endedAt, takesPaste: false, waitsUntil: null }
    this.#tell()
    await this.save()
  }

  async #seal(name: string, value: string): Promise<Uint8Array> {
    const known = this.#sealed.get(name)
    if (known) return known
    const sealed = await this.#context.ports.secrets.seal(value)
    this.#sealed.set(name, sealed)
    return sealed
  }

  #tell(): void {
    this.#context.bus.push('authorization.changed', this.view())
  }
}

/** A run as it begins, without its id. */
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
    takesPaste: false,
    waitsUntil: null,
    steps: [],
    findings: [],
    heldBack: [],
    hasRefusedToken: false,
  } as const satisfies Omit<Run, 'id'>
}
