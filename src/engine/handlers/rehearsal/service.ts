import { randomBytes } from 'node:crypto'
import { matchesCase, rehearsalCases, selectFrom } from '#catalogue/rehearsal/cases.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type {
  OAuthOptions,
  Rehearsal,
  RehearsalOptions,
  RehearsalRequest,
} from '#contract/rehearsal.ts'
import type { Target } from '#contract/sending.ts'
import type { EndpointRegistry } from '../../receiving/endpoints/registry.ts'
import type { IntegrationRegistry } from '../../receiving/integrations/registry.ts'
import { AppError } from '../../platform/errors.ts'
import type { Sender } from '../../sending/sender.ts'
import { isNear, parseTarget } from '../../sending/target.ts'
import type { StorePort } from '../../platform/store/store-port.ts'
import type {
  readRehearsal,
  readRehearsalRequests,
  readRehearsalResults,
  readRehearsals,
  deleteRehearsal,
  insertRehearsal,
} from '../../event-logs/rehearsal-store.ts'
import type { TaskOptions } from '../../platform/task.ts'
import { endInterrupted, LiveRun, type LiveRunPorts } from './live-run.ts'
import type { RehearsalIdentity, RehearsalShape, TargetLimits } from './messages.ts'

export interface RehearsalPorts extends Pick<LiveRunPorts, 'entry' | 'network' | 'log' | 'push'> {
  readonly store: LiveRunPorts['store'] &
    StorePort<
      {
        rehearsal: typeof readRehearsal
        rehearsals: typeof readRehearsals
        rehearsalResults: typeof readRehearsalResults
        rehearsalRequests: typeof readRehearsalRequests
      },
      { insertRehearsal: typeof insertRehearsal; deleteRehearsal: typeof deleteRehearsal }
    >
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly sender: Pick<Sender, 'api'>
  readonly ownPorts: SharedArrayBuffer
  readonly listener: () => string | null
}

type Secrets = Pick<ParsedInput<'rehearsals.start'>, 'secret' | 'previousSecret'>

/** Each run has its own thread; runs do not wait for each other. */
export class Rehearsals {
  readonly #ports: RehearsalPorts
  readonly #live = new Map<number, LiveRun>()

  constructor(ports: RehearsalPorts) {
    this.#ports = ports
  }

  /** For a webhook handler. Throws like the call. */
  async start({
    secret,
    previousSecret,
    ...options
  }: ParsedInput<'rehearsals.start'>): Promise<Rehearsal> {
    const { ownPorts, listener, push } = this.#ports
    const total = countSelected(rehearsalCases, options)
    const { allowTarget = false } = options
    const target = await this.#target(options.url)
    assertAllowed([target], allowTarget)
    const identity = this.#identityOf(options.endpointId, { secret, previousSecret })
    const rehearsal = await this.#insert({
      options: { ...options, url: target.href },
      hasSecret: identity.secret !== null,
      total,
    })
    this.#begin(rehearsal, {
      options: rehearsal.options,
      target: limitsOf(target, allowTarget),
      identity,
      ownPorts,
      listener: listener(),
    })
    push('rehearsals.changed', { rehearsal, removed: false })
    return rehearsal
  }

  /** For an OAuth client. Resolves when its server listens. Throws like the call. */
  async startOauth({
    accessSecret: given,
    allowTarget,
    only,
    skip,
    secretOption,
    requestTimeout,
    runTimeout,
    ...settings
  }: ParsedInput<'rehearsals.startOauth'>): Promise<CallOutput<'rehearsals.startOauth'>> {
    const total = countSelected(oauthCases, { only, skip })
    const { publicAllowed, ...urls } = await this.#clientTargets(settings, allowTarget)
    const accessId = settings.accessId || `rehearsal-${randomBytes(6).toString('hex')}`
    const accessSecret = given ?? randomBytes(32).toString('base64url')
    const oauth: OAuthOptions = { ...settings, ...urls, accessId }
    const options = {
      url: oauth.startUrl ?? 'http://127.0.0.1',
      oauth,
      endpointId: null,
      only,
      skip,
      seed: 0,
      accept: [],
      acknowledgesFirst: false,
      observer: { kind: 'none' as const },
      load: false,
      allowTarget,
      requestTimeout,
      runTimeout,
      secretOption,
    }
    const rehearsal = await this.#insert({ options, hasSecret: true, total, step: null })
    const run = this.#begin(rehearsal, { options, accessSecret, publicAllowed })
    const { baseUrl, port } = await run.listening.catch(async (error: unknown) => {
      await this.#ports.store.writer.call('deleteRehearsal', rehearsal.id)
      throw error
    })
    const client = { baseUrl, accessId, accessSecret: given === undefined ? accessSecret : null }
    run.client = client
    const url = oauth.startUrl ?? baseUrl
    const started = await run.update({ options: { ...options, url, oauth: { ...oauth, port } } })
    return { rehearsal: started, client }
  }

  async list(): Promise<Rehearsal[]> {
    const stored = await this.#ports.store.reader.call('rehearsals')
    return stored.map((each) => this.#current(each))
  }

  /** Throws `not_found`. */
  async get(id: number): Promise<CallOutput<'rehearsals.get'>> {
    const run = this.#live.get(id)
    if (run) return { rehearsal: run.rehearsal, results: [...run.results], client: run.client }
    const rehearsal = await this.#find(id)
    const results = await this.#ports.store.reader.call('rehearsalResults', id)
    return { rehearsal, results, client: null }
  }

  /** Does nothing for a run that has ended. Throws `not_found`. */
  async cancel(id: number): Promise<Rehearsal> {
    await this.#stop(id)
    return this.#find(id)
  }

  /** Also deletes its results and requests. Throws `not_found`. */
  async remove(id: number): Promise<void> {
    await this.#stop(id)
    const rehearsal = await this.#find(id)
    await this.#ports.store.writer.call('deleteRehearsal', id)
    this.#ports.push('rehearsals.changed', { rehearsal, removed: true })
  }

  /** The reply to the push `rehearsals.observe`. */
  observed({ id, key, value, error }: ParsedInput<'rehearsals.observed'>): void {
    this.#live.get(id)?.observed({ key, value, error })
  }

  requests(input: Omit<ParsedInput<'rehearsals.requests'>, 'log'>): Promise<RehearsalRequest[]> {
    return this.#ports.store.reader.call('rehearsalRequests', input)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((run) => run.stop('interrupt')))
  }

  #current(stored: Rehearsal): Rehearsal {
    return this.#live.get(stored.id)?.rehearsal ?? endInterrupted(stored)
  }

  async #find(id: number): Promise<Rehearsal> {
    const stored = await this.#ports.store.reader.call('rehearsal', id)
    if (stored) return this.#current(stored)
    throw new AppError('not_found', `Rehearsal ${id} does not exist. It may have been deleted.`)
  }

  async #stop(id: number): Promise<void> {
    await this.#live.get(id)?.stop('cancel')
  }

  async #insert(
    given: Pick<Rehearsal, 'options' | 'hasSecret' | 'total' | 'step'>,
  ): Promise<Rehearsal> {
    const fields: Omit<Rehearsal, 'id'> = {
      startedAt: Date.now(),
      endedAt: null,
      state: 'running',
      counts: { pass: 0, fail: 0, warn: 0, review: 0, skipped: 0, flaky: 0 },
      grade: null,
      cappedBy: null,
      problem: null,
      ...given,
    }
    return { ...fields, id: await this.#ports.store.writer.call('insertRehearsal', fields) }
  }

  #begin(rehearsal: Rehearsal, input: TaskOptions<RehearsalShape>['input']): LiveRun {
    const run = new LiveRun(rehearsal, input, this.#ports)
    this.#live.set(rehearsal.id, run)
    // Runs before the callbacks of all who wait for the end, which read what is stored.
    void run.ended.then(() => this.#live.delete(rehearsal.id))
    return run
  }

  #identityOf(endpointId: number | null, given: Secrets): RehearsalIdentity {
    const { registry, integrations } = this.#ports
    const route =
      endpointId === null
        ? null
        : registry.sandboxTarget(endpointId, 'http://127.0.0.1', (id) => integrations.brandOf(id))
    const previous = registry.secretsOf(endpointId).find(({ name }) => name === 'previous')
    return {
      secret: given.secret ?? route?.secret ?? null,
      previousSecret: given.previousSecret ?? previous?.secret ?? null,
      accessSecret:
        endpointId === null
          ? null
          : integrations.clearSecret(registry.view(endpointId).integrationId),
      brand: route?.brand ?? integrations.views()[0]?.brand ?? 'Service',
      applicationId: route?.applicationId || 'tabscope-rehearsal',
      customHeaders: route?.customHeaders ?? [],
    }
  }

  async #target(url: string): Promise<FoundTarget> {
    const { href } = parseTarget(url)
    return { ...(await this.#ports.sender.api.call('resolve', href)), href }
  }

  /** The URLs of a client, and whether those that they redirect to may be outside this machine. Throws `bad_target` and `target_unconfirmed`. */
  async #clientTargets(
    { startUrl, callUrl }: Pick<OAuthOptions, 'startUrl' | 'callUrl'>,
    allowTarget: boolean,
  ): Promise<Pick<OAuthOptions, 'startUrl' | 'callUrl'> & { publicAllowed: boolean }> {
    const start = startUrl === null ? null : await this.#target(startUrl)
    const call = callUrl === null ? null : await this.#target(callUrl)
    assertAllowed([start, call], allowTarget)
    return {
      startUrl: start?.href ?? null,
      callUrl: call?.href ?? null,
      publicAllowed: allowTarget || (start?.confirmed ?? false),
    }
  }
}

type FoundTarget = Target & { readonly href: string }

function assertAllowed(targets: readonly (FoundTarget | null)[], allowTarget: boolean): void {
  if (allowTarget) return
  const origins = targets.flatMap((target) =>
    target?.location === 'public' && !target.confirmed ? target.origin : [],
  )
  if (origins.length === 0) return
  const origin = [...new Set(origins)].join(' and ')
  throw new AppError(
    'target_unconfirmed',
    `Outside this machine and its network: ${origin}. Allow it to send requests there (--allow-target on the command line).`,
    { details: { origin } },
  )
}

/** A name that was near when it was checked must not lead elsewhere during the run. */
function limitsOf({ location, confirmed, verifyTls }: Target, allowTarget: boolean): TargetLimits {
  return { verifyTls, publicAllowed: allowTarget || (confirmed && !isNear(location)) }
}

function countSelected(
  cases: readonly { id: string }[],
  { only, skip }: Pick<RehearsalOptions, 'only' | 'skip'>,
): number {
  const { length } = selectFrom(cases, { only, skip })
  const unknown = [...only, ...skip].find(
    (pattern) => !cases.some(({ id }) => matchesCase(id, pattern)),
  )
  if (unknown === undefined && length > 0) return length
  const what =
    unknown === undefined
      ? 'The selection contains no test cases.'
      : `No test case matches "${unknown}".`
  throw new AppError('bad_input', `${what} List them with: tabscope rehearse list`)
}
