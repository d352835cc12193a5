import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { matchesCase, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { gradeOf } from '#catalogue/rehearsal/grade.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type {
  CaseResult,
  OAuthClientConfig,
  OAuthOptions,
  Rehearsal,
  RehearsalOptions,
  RehearsalRequest,
} from '#contract/rehearsal.ts'
import { createMutex } from '#shared/async/mutex.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import { AppError } from '../platform/errors.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import type { Log } from '../platform/ports.ts'
import type { Sender } from '../sending/sender.ts'
import { parseTarget } from '../sending/target.ts'
import type { Store } from '../store/store.ts'
import type {
  FromRehearsal,
  OAuthThreadData,
  RehearsalIdentity,
  RehearsalThreadData,
  ToRehearsal,
} from './messages.ts'
import { selectOAuthCases } from './oauth/runner.ts'
import { selectCases } from './runner.ts'
import { awaitedElsewhere } from '#shared/async/awaited-elsewhere.ts'

export interface RehearsalPorts {
  /** The built entry of the thread. */
  readonly entry: URL
  readonly log: Log
  readonly store: Pick<Store, 'reader' | 'writer'>
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly sender: Pick<Sender, 'api'>
  /** `OwnPorts`. */
  readonly ownPorts: SharedArrayBuffer
  /** The origin of the Tabscope listener; null: it is not running. */
  readonly listener: () => string | null
  readonly push: <N extends PushName>(name: N, payload: PushPayload<N>) => void
}

type Secrets = Pick<ParsedInput<'rehearsals.resume'>, 'secret' | 'previousSecret'>

/** A run in its thread. */
interface LiveRun {
  rehearsal: Rehearsal
  readonly results: CaseResult[]
  readonly send: (message: ToRehearsal) => void
  /** Cancels the run, and terminates a thread that does not react. */
  readonly stop: () => void
  readonly ended: Promise<void>
  /** What the app has to be configured with; null: the run is for a webhook handler. */
  client: OAuthClientConfig | null
  /** The sandbox of the run: an authorization server, or the API of an oracle. Null: its port is in use. Never resolves for a run without one. */
  readonly listening: Promise<{ baseUrl: string; port: number } | null>
}

/** A cancelled thread that does not end within this time is terminated, in milliseconds. */
const terminateAfterMs = 2000

/** Runs of test cases against webhook handlers and OAuth clients. Each has its own thread; runs do not wait for each other. */
export interface Rehearsals {
  start(input: ParsedInput<'rehearsals.start'>): Promise<Rehearsal>
  startOauth(
    input: ParsedInput<'rehearsals.startOauth'>,
  ): Promise<CallOutput<'rehearsals.startOauth'>>
  list(): Promise<Rehearsal[]>
  get(id: number): Promise<CallOutput<'rehearsals.get'>>
  pause(id: number): Promise<Rehearsal>
  resume(input: ParsedInput<'rehearsals.resume'>): Promise<Rehearsal>
  cancel(id: number): Promise<Rehearsal>
  remove(id: number): Promise<void>
  observed(input: ParsedInput<'rehearsals.observed'>): void
  /** The requests of a case whose result was pushed. */
  requests(input: Omit<ParsedInput<'rehearsals.requests'>, 'log'>): Promise<RehearsalRequest[]>
  /** Ends all runs. They can be resumed. */
  close(): Promise<void>
}

export function createRehearsals(ports: RehearsalPorts): Rehearsals {
  const { store, log, push } = ports
  const live = new Map<number, LiveRun>()
  const write = createMutex()
  let closing = false

  const changed = (rehearsal: Rehearsal): void =>
    push('rehearsals.changed', { rehearsal, removed: false })

  /** A run that is stored as running, but has no thread, was interrupted. */
  const current = (stored: Rehearsal): Rehearsal => {
    const running = live.get(stored.id)
    if (running) return running.rehearsal
    const isOpen = stored.state === 'running' || stored.state === 'paused'
    return isOpen ? { ...stored, state: 'interrupted', ...noProgress(stored) } : stored
  }

  const find = async (id: number): Promise<Rehearsal> => {
    const stored = await store.reader.call('rehearsal', id)
    if (stored) return current(stored)
    throw new AppError('not_found', `Rehearsal ${id} does not exist. It may have been deleted.`)
  }

  const findLive = (id: number): LiveRun => {
    const running = live.get(id)
    if (running) return running
    throw new AppError('run_over', `Rehearsal ${id} is not running.`)
  }

  const update = async (running: LiveRun, changes: Partial<Rehearsal>): Promise<Rehearsal> => {
    running.rehearsal = { ...running.rehearsal, ...changes }
    const { rehearsal } = running
    await write(() => store.writer.call('updateRehearsal', rehearsal))
    changed(rehearsal)
    return rehearsal
  }

  /** Only a run whose results are stored has ended. */
  const endWith = async (running: LiveRun, changes: Partial<Rehearsal>): Promise<void> => {
    const rehearsal = { ...running.rehearsal, ...changes }
    await write(() => store.writer.call('updateRehearsal', rehearsal))
    running.rehearsal = rehearsal
    changed(rehearsal)
  }

  const identityOf = (options: RehearsalOptions, given: Secrets): RehearsalIdentity => {
    const { endpointId } = options
    const route =
      endpointId === null
        ? null
        : ports.registry.sandboxTarget(endpointId, 'http://127.0.0.1', (id) =>
            ports.integrations.brandOf(id),
          )
    const previous = ports.registry.secretsOf(endpointId).find(({ name }) => name === 'previous')
    return {
      secret: given.secret ?? route?.secret ?? null,
      previousSecret: given.previousSecret ?? previous?.secret ?? null,
      accessSecret:
        endpointId === null
          ? null
          : ports.integrations.clearSecret(ports.registry.view(endpointId).integrationId),
      brand: route?.brand ?? ports.integrations.views()[0]?.brand ?? 'Service',
      applicationId: route?.applicationId || 'tabscope-rehearsal',
      customHeaders: route?.customHeaders ?? [],
    }
  }

  const begin = (
    rehearsal: Rehearsal,
    results: CaseResult[],
    data: RehearsalThreadData | OAuthThreadData,
  ): LiveRun => {
    const worker = new Worker(ports.entry, {
      workerData: data,
      resourceLimits: heapLimits.rehearsal,
    })
    const ended = Promise.withResolvers<void>()
    const listening = Promise.withResolvers<{ baseUrl: string; port: number } | null>()
    const running: LiveRun = {
      rehearsal,
      results,
      send: (message) => worker.postMessage(message),
      stop: () => {
        stopping = true
        running.send({ kind: 'cancel' })
        setTimeout(() => void worker.terminate(), terminateAfterMs).unref()
      },
      ended: ended.promise,
      client: null,
      listening: listening.promise,
    }
    live.set(rehearsal.id, running)
    let stopping = false
    let finished: Partial<Rehearsal> | null = null
    worker.on('message', (message: FromRehearsal) => {
      switch (message.event) {
        case 'listening':
          listening.resolve(message)
          break
        case 'port-in-use':
          listening.resolve(null)
          break
        case 'progress': {
          const { step, progress } = message
          running.rehearsal = { ...running.rehearsal, step, progress }
          changed(running.rehearsal)
          break
        }
        case 'result': {
          const { result, requests } = message
          results.push(result)
          const { counts } = running.rehearsal
          running.rehearsal = {
            ...running.rehearsal,
            counts: { ...counts, [result.result]: (counts[result.result] ?? 0) + 1 },
          }
          const record = { rehearsal: running.rehearsal, result, requests }
          void write(() => store.writer.call('recordRehearsalCase', record)).catch(
            (error: unknown) => log.error('the result of a rehearsal was not stored', error),
          )
          push('rehearsals.result', { id: rehearsal.id, result })
          changed(running.rehearsal)
          break
        }
        case 'observe':
          push('rehearsals.observe', { id: rehearsal.id, key: message.key })
          break
        case 'end': {
          const { state, problem } = message
          const complete = state === 'done' && problem === null
          finished = {
            state,
            problem,
            endedAt: Date.now(),
            ...noProgress(rehearsal),
            ...(complete
              ? gradeOf(results, { ...rehearsal.options, hasSecret: rehearsal.hasSecret })
              : {}),
          }
          break
        }
      }
    })
    worker.on('error', (error) => {
      const logId = log.error('the thread of a rehearsal crashed', error)
      const message = `The rehearsal ended because of an internal error. See the log entry ${logId}.`
      finished = {
        state: 'failed',
        endedAt: Date.now(),
        problem: { message, causes: [] },
        ...noProgress(rehearsal),
      }
    })
    worker.on('exit', () => {
      // It was terminated, since it waited for effects or a response.
      if (stopping) {
        finished ??= { state: 'cancelled', endedAt: Date.now(), ...noProgress(rehearsal) }
      }
      listening.reject(new Error('the thread of a rehearsal ended before it listened'))
      // A run that ends with Tabscope can be resumed.
      const interrupted = closing && finished?.state === 'cancelled'
      const stored = finished && !interrupted ? endWith(running, finished) : Promise.resolve()
      stored
        .catch((error: unknown) => log.error('a rehearsal could not be stored', error))
        .finally(() => {
          live.delete(rehearsal.id)
          ended.resolve()
        })
    })
    // Only runs with a sandbox are awaited.
    awaitedElsewhere(listening.promise)
    return running
  }
  /** What the thread of a run for a webhook handler needs. */
  const threadOf = (
    { options }: Pick<Rehearsal, 'options'>,
    done: readonly CaseResult[],
    given: Pick<RehearsalThreadData, 'identity' | 'publicAllowed' | 'verifyTls'>,
  ): RehearsalThreadData => ({
    ...given,
    options,
    done,
    ownPorts: ports.ownPorts,
    listener: ports.listener(),
  })

  const target = async (url: string, allowTarget: boolean) => {
    const { href } = parseTarget(url)
    const found = await ports.sender.api.call('look', href)
    if (found.place === 'public' && !found.confirmed && !allowTarget) {
      throw new AppError(
        'target_unconfirmed',
        `${found.origin} is outside this machine and its network. Allow it to send test cases there (--allow-target on the command line).`,
        { details: { origin: found.origin } },
      )
    }
    const publicAllowed = allowTarget || found.confirmed
    return { href, publicAllowed, verifyTls: found.verifyTls }
  }

  /** Whether the URLs of a client may be loaded, and those that they redirect to outside this machine. */
  const clientTargets = async (
    { startUrl, callUrl }: Pick<OAuthOptions, 'startUrl' | 'callUrl'>,
    allowTarget: boolean,
  ) => {
    const look = async (url: string | null) => (url === null ? null : target(url, allowTarget))
    const [start, call] = [await look(startUrl), await look(callUrl)]
    return {
      startUrl: start?.href ?? null,
      callUrl: call?.href ?? null,
      publicAllowed: allowTarget || (start?.publicAllowed ?? false),
    }
  }

  /** Resolves when the sandbox of a run listens. Throws `port_in_use` with `message`. */
  const opened = async (
    { listening, ended }: LiveRun,
    message: string,
  ): Promise<{ baseUrl: string; port: number }> => {
    const server = await listening
    if (server) return server
    await ended
    throw new AppError('port_in_use', message)
  }

  /** Starts the thread of a run for a webhook handler. Throws `port_in_use`. */
  const beginHandler = async (
    rehearsal: Rehearsal,
    results: CaseResult[],
    given: Parameters<typeof threadOf>[2],
  ): Promise<void> => {
    const running = begin(rehearsal, results, threadOf(rehearsal, results, given))
    const { oracle } = rehearsal.options
    if (oracle.kind !== 'sandbox') return
    await opened(
      running,
      `The API of the sandbox cannot listen on port ${oracle.port}, because the port is in use. Stop the program that uses it, or choose another port.`,
    )
  }

  /** Starts the thread of a run for an OAuth client. `isMadeUp`: the user does not know the access secret. Resolves when its server listens. Throws `port_in_use`. */
  const openServer = async (
    rehearsal: Rehearsal,
    results: CaseResult[],
    thread: OAuthThreadData,
    isMadeUp: boolean,
  ): Promise<CallOutput<'rehearsals.startOauth'>> => {
    const running = begin(rehearsal, results, thread)
    const { baseUrl, port } = await opened(
      running,
      `Port ${thread.options.oauth.port} is in use. Choose another port, or 0 for a free one.`,
    )
    const { options } = running.rehearsal
    const oauth = { ...thread.options.oauth, port }
    const url = oauth.startUrl ?? baseUrl
    const client = {
      baseUrl,
      accessId: oauth.accessId,
      accessSecret: isMadeUp ? thread.accessSecret : null,
    }
    running.client = client
    const started = await update(running, { state: 'running', options: { ...options, url, oauth } })
    return { rehearsal: started, client }
  }

  const resumeOauth = async (
    stored: Rehearsal,
    oauth: OAuthOptions,
    accessSecret: string | undefined,
  ): Promise<Rehearsal> => {
    if (accessSecret === undefined) {
      throw new AppError(
        'secret_unavailable',
        `The access secret of rehearsal ${stored.id} is not stored. Enter it to resume.`,
      )
    }
    const { publicAllowed } = await clientTargets(oauth, stored.options.allowTarget ?? false)
    const results = await store.reader.call('rehearsalResults', stored.id)
    const options = { ...stored.options, oauth }
    const thread = { options, accessSecret, done: results, publicAllowed }
    const { rehearsal } = await openServer(stored, results, thread, false)
    return rehearsal
  }

  return {
    startOauth: async ({
      accessSecret: given,
      allowTarget,
      only,
      skip,
      secretOption,
      requestTimeout,
      runTimeout,
      ...settings
    }) => {
      const selected = selectOAuthCases({ only, skip })
      checkSelection({ only, skip }, oauthCases, selected)
      const { publicAllowed, ...urls } = await clientTargets(settings, allowTarget)
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
        oracle: { kind: 'none' as const },
        load: false,
        allowTarget,
        requestTimeout,
        runTimeout,
        secretOption,
      }
      const fields: Omit<Rehearsal, 'id'> = {
        startedAt: Date.now(),
        endedAt: null,
        state: 'running',
        options,
        hasSecret: true,
        total: selected.length,
        counts: noCounts,
        grade: null,
        cappedBy: null,
        problem: null,
        step: null,
      }
      const id = await store.writer.call('insertRehearsal', fields)
      const thread = { options, accessSecret, done: [], publicAllowed }
      try {
        return await openServer({ ...fields, id }, [], thread, given === undefined)
      } catch (error) {
        await store.writer.call('deleteRehearsal', id)
        throw error
      }
    },
    start: async ({ secret, previousSecret, ...options }) => {
      const selected = selectCases(options)
      checkSelection(options, rehearsalCases, selected)
      const { href, publicAllowed, verifyTls } = await target(
        options.url,
        options.allowTarget ?? false,
      )
      const identity = identityOf(options, { secret, previousSecret })
      const fields: Omit<Rehearsal, 'id'> = {
        startedAt: Date.now(),
        endedAt: null,
        state: 'running',
        options: { ...options, url: href },
        hasSecret: identity.secret !== null,
        total: selected.length,
        counts: noCounts,
        grade: null,
        cappedBy: null,
        problem: null,
      }
      const id = await store.writer.call('insertRehearsal', fields)
      const rehearsal = { ...fields, id }
      try {
        await beginHandler(rehearsal, [], { identity, publicAllowed, verifyTls })
      } catch (error) {
        await store.writer.call('deleteRehearsal', id)
        throw error
      }
      changed(rehearsal)
      return rehearsal
    },
    list: async () => (await store.reader.call('rehearsals')).map(current),
    get: async (id) => {
      const running = live.get(id)
      if (running) {
        const { rehearsal, results, client } = running
        return { rehearsal, results: [...results], client }
      }
      const rehearsal = await find(id)
      return { rehearsal, results: await store.reader.call('rehearsalResults', id), client: null }
    },
    pause: async (id) => {
      const running = findLive(id)
      running.send({ kind: 'pause' })
      return update(running, { state: 'paused' })
    },
    resume: async ({ id, ...secrets }) => {
      const running = live.get(id)
      if (running) {
        running.send({ kind: 'resume' })
        return update(running, { state: 'running' })
      }
      const stored = await find(id)
      if (stored.state !== 'interrupted') {
        throw new AppError('run_over', `Rehearsal ${id} has ended. Start a new one.`)
      }
      const { oauth } = stored.options
      if (oauth) return resumeOauth(stored, oauth, secrets.secret)
      const identity = identityOf(stored.options, secrets)
      if (stored.hasSecret && identity.secret === null) {
        throw new AppError(
          'secret_unavailable',
          `Rehearsal ${id} was started with a secret that is not stored. Enter it to resume.`,
        )
      }
      const { publicAllowed, verifyTls } = await target(
        stored.options.url,
        stored.options.allowTarget ?? false,
      )
      const results = await store.reader.call('rehearsalResults', id)
      const rehearsal: Rehearsal = { ...stored, state: 'running' }
      await beginHandler(rehearsal, results, { identity, publicAllowed, verifyTls })
      changed(rehearsal)
      return rehearsal
    },
    cancel: async (id) => {
      const running = live.get(id)
      if (running) {
        running.stop()
        await running.ended
        return find(id)
      }
      const stored = await find(id)
      if (stored.state !== 'interrupted') return stored
      const cancelled: Rehearsal = { ...stored, state: 'cancelled', endedAt: Date.now() }
      await store.writer.call('updateRehearsal', cancelled)
      changed(cancelled)
      return cancelled
    },
    remove: async (id) => {
      const running = live.get(id)
      if (running) {
        running.stop()
        await running.ended
      }
      const rehearsal = await find(id)
      await store.writer.call('deleteRehearsal', id)
      push('rehearsals.changed', { rehearsal, removed: true })
    },
    observed: ({ id, key, value, error }) =>
      live.get(id)?.send({ kind: 'observed', key, value, error }),
    requests: async (input) => {
      // A result is pushed before it is stored.
      await write(async () => undefined)
      return store.reader.call('rehearsalRequests', input)
    },
    close: async () => {
      closing = true
      const running = [...live.values()]
      for (const each of running) each.stop()
      await Promise.all(running.map(({ ended }) => ended))
    },
  }
}

/** Throws `bad_input` for a selection without cases, and for a pattern that no case matches: a run must not pass because of a misspelled ID. */
function checkSelection(
  { only, skip }: Pick<RehearsalOptions, 'only' | 'skip'>,
  cases: readonly { readonly id: string }[],
  selected: readonly unknown[],
): void {
  const unknown = [...only, ...skip].find(
    (pattern) => !cases.some(({ id }) => matchesCase(id, pattern)),
  )
  if (unknown === undefined && selected.length > 0) return
  const what =
    unknown === undefined
      ? 'The selection contains no test cases.'
      : `No test case matches "${unknown}".`
  throw new AppError('bad_input', `${what} List them with: tabscope rehearse list`)
}

/** Ends what only a running test of an OAuth client has. */
function noProgress({ options }: Pick<Rehearsal, 'options'>): Partial<Rehearsal> {
  return options.oauth ? { step: null, progress: null } : {}
}

const noCounts: Rehearsal['counts'] = {
  pass: 0,
  fail: 0,
  warn: 0,
  review: 0,
  skipped: 0,
  flaky: 0,
}
