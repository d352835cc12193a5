import { Worker } from 'node:worker_threads'
import { gradeOf } from '#catalogue/rehearsal/grade.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { CaseResult, Rehearsal, RehearsalOptions } from '#contract/rehearsal.ts'
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
  RehearsalIdentity,
  RehearsalThreadData,
  ToRehearsal,
} from './messages.ts'
import { selectCases } from './runner.ts'

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
}

/** A cancelled thread that does not end within this time is terminated, in milliseconds. */
const terminateAfterMs = 2000

/** Runs of test cases against webhook handlers. Each has its own thread; runs do not wait for each other. */
export interface Rehearsals {
  start(input: ParsedInput<'rehearsals.start'>): Promise<Rehearsal>
  list(): Promise<Rehearsal[]>
  get(id: number): Promise<{ rehearsal: Rehearsal; results: CaseResult[] }>
  pause(id: number): Promise<Rehearsal>
  resume(input: ParsedInput<'rehearsals.resume'>): Promise<Rehearsal>
  cancel(id: number): Promise<Rehearsal>
  remove(id: number): Promise<void>
  observed(input: ParsedInput<'rehearsals.observed'>): void
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
    return isOpen ? { ...stored, state: 'interrupted' } : stored
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
      accessSecret: null,
      brand: route?.brand ?? ports.integrations.views()[0]?.brand ?? 'Service',
      applicationId: route?.applicationId || 'tabscope-rehearsal',
      customHeaders: route?.customHeaders ?? [],
    }
  }

  const begin = (
    rehearsal: Rehearsal,
    results: CaseResult[],
    thread: Omit<RehearsalThreadData, 'options' | 'done' | 'ownPorts' | 'listener'>,
  ): void => {
    const data: RehearsalThreadData = {
      ...thread,
      options: rehearsal.options,
      done: results,
      ownPorts: ports.ownPorts,
      listener: ports.listener(),
    }
    const worker = new Worker(ports.entry, {
      workerData: data,
      resourceLimits: heapLimits.rehearsal,
    })
    const ended = Promise.withResolvers<void>()
    const running: LiveRun = {
      rehearsal,
      results,
      send: (message) => worker.postMessage(message),
      stop: () => {
        running.send({ kind: 'cancel' })
        setTimeout(() => void worker.terminate(), terminateAfterMs).unref()
      },
      ended: ended.promise,
    }
    live.set(rehearsal.id, running)
    let finished: Partial<Rehearsal> | null = null
    worker.on('message', (message: FromRehearsal) => {
      switch (message.event) {
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
      finished = { state: 'failed', endedAt: Date.now(), problem: { message, causes: [] } }
    })
    worker.on('exit', () => {
      // A run that ends with Tabscope can be resumed.
      const interrupted = closing && finished?.state === 'cancelled'
      const stored = finished && !interrupted ? update(running, finished) : Promise.resolve()
      stored
        .catch((error: unknown) => log.error('a rehearsal could not be stored', error))
        .finally(() => {
          live.delete(rehearsal.id)
          ended.resolve()
        })
    })
  }

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

  return {
    start: async ({ secret, previousSecret, allowTarget, ...options }) => {
      const selected = selectCases(options)
      if (selected.length === 0) {
        throw new AppError(
          'bad_input',
          'The selection contains no test cases. List them with: tabscope rehearse list',
        )
      }
      const { href, publicAllowed, verifyTls } = await target(options.url, allowTarget)
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
      begin(rehearsal, [], { identity, publicAllowed, verifyTls })
      changed(rehearsal)
      return rehearsal
    },
    list: async () => (await store.reader.call('rehearsals')).map(current),
    get: async (id) => {
      const running = live.get(id)
      if (running) return { rehearsal: running.rehearsal, results: [...running.results] }
      const rehearsal = await find(id)
      return { rehearsal, results: await store.reader.call('rehearsalResults', id) }
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
      const identity = identityOf(stored.options, secrets)
      if (stored.hasSecret && identity.secret === null) {
        throw new AppError(
          'secret_unavailable',
          `Rehearsal ${id} was started with a secret that is not stored. Enter it to resume.`,
        )
      }
      const { publicAllowed, verifyTls } = await target(stored.options.url, false)
      const results = await store.reader.call('rehearsalResults', id)
      const rehearsal: Rehearsal = { ...stored, state: 'running' }
      begin(rehearsal, results, { identity, publicAllowed, verifyTls })
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
    close: async () => {
      closing = true
      const running = [...live.values()]
      for (const each of running) each.stop()
      await Promise.all(running.map(({ ended }) => ended))
    },
  }
}

const noCounts: Rehearsal['counts'] = {
  pass: 0,
  fail: 0,
  warn: 0,
  review: 0,
  skipped: 0,
  flaky: 0,
}
