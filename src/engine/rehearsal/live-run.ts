import { Worker } from 'node:worker_threads'
import { gradeOf } from '#catalogue/rehearsal/grade.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { CaseResult, OAuthClientConfig, Rehearsal } from '#contract/rehearsal.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import type { createMutex } from '#shared/async/mutex.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import type { Network } from '../platform/http/network.ts'
import type { Log } from '../platform/ports.ts'
import type { Store } from '../store/store.ts'
import type {
  FromRehearsal,
  OAuthThreadData,
  RehearsalThreadData,
  ToRehearsal,
} from './messages.ts'

/** A cancelled thread that does not end within this time is terminated. */
const terminateAfterMs = 2000

/** An authorization server, or the API whose calls are counted. */
export interface RunServer {
  readonly baseUrl: string
  readonly port: number
}

export type Unlinked<D> = Omit<D, 'network'>

export interface LiveRunPorts {
  readonly entry: URL
  readonly network: Network
  readonly log: Log
  readonly store: Pick<Store, 'writer'>
  readonly write: ReturnType<typeof createMutex>
  readonly push: <N extends PushName>(name: N, payload: PushPayload<N>) => void
}

/** A run in its thread, until the thread has ended and the run is stored. */
export class LiveRun {
  readonly results: CaseResult[] = []
  /** What the app has to be configured with; null: the run is for a webhook handler. */
  client: OAuthClientConfig | null = null
  readonly #ports: LiveRunPorts
  readonly #worker: Worker
  readonly #listening = Promise.withResolvers<RunServer | null>()
  readonly #ended = Promise.withResolvers<void>()
  #rehearsal: Rehearsal
  /** Null: it runs, or its thread was terminated. */
  #end: Partial<Rehearsal> | null = null
  #stopping: 'cancel' | 'interrupt' | null = null

  constructor(
    rehearsal: Rehearsal,
    data: Unlinked<RehearsalThreadData> | Unlinked<OAuthThreadData>,
    ports: LiveRunPorts,
  ) {
    this.#rehearsal = rehearsal
    this.#ports = ports
    const network = ports.network.link()
    this.#worker = new Worker(ports.entry, {
      workerData: { ...data, network },
      transferList: [network.port],
      resourceLimits: heapLimits.rehearsal,
    })
    this.#worker.on('message', (message: FromRehearsal) => this.#receive(message))
    this.#worker.on('error', (error) => this.#crashed(error))
    this.#worker.on('exit', () => void this.#exited())
    // Only runs with a sandbox are awaited.
    handledLater(this.#listening.promise)
  }

  get rehearsal(): Rehearsal {
    return this.#rehearsal
  }

  /** Resolves when the thread has ended and the run is stored. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Null: the port is in use. Never resolves for a run without a sandbox; rejects if the thread ends before it listens. */
  get listening(): Promise<RunServer | null> {
    return this.#listening.promise
  }

  send(message: ToRehearsal): void {
    this.#worker.postMessage(message)
  }

  /** `interrupt`: because Tabscope ends. Terminates a thread that does not react. */
  stop(how: 'cancel' | 'interrupt'): void {
    this.#stopping = how
    this.send({ kind: 'cancel' })
    setTimeout(() => void this.#worker.terminate(), terminateAfterMs).unref()
  }

  async update(changes: Partial<Rehearsal>): Promise<Rehearsal> {
    const rehearsal = { ...this.#rehearsal, ...changes }
    this.#rehearsal = rehearsal
    await this.#store(rehearsal)
    this.#publish()
    return rehearsal
  }

  #receive(message: FromRehearsal): void {
    const { id } = this.#rehearsal
    switch (message.event) {
      case 'listening':
        return this.#listening.resolve(message)
      case 'port-in-use':
        return this.#listening.resolve(null)
      case 'progress': {
        const { step, progress } = message
        this.#rehearsal = { ...this.#rehearsal, step, progress }
        return this.#publish()
      }
      case 'result':
        return this.#addResult(message)
      case 'observe':
        return this.#ports.push('rehearsals.observe', { id, key: message.key })
      case 'end':
        this.#end = this.#endOf(message)
    }
  }

  #addResult({ result, requests }: Extract<FromRehearsal, { event: 'result' }>): void {
    const { log, store, write, push } = this.#ports
    this.results.push(result)
    const { counts } = this.#rehearsal
    const rehearsal = {
      ...this.#rehearsal,
      counts: { ...counts, [result.result]: (counts[result.result] ?? 0) + 1 },
    }
    this.#rehearsal = rehearsal
    write(() => store.writer.call('recordRehearsalCase', { rehearsal, result, requests })).catch(
      (error: unknown) => log.error('the result of a rehearsal was not stored', error),
    )
    push('rehearsals.result', { id: rehearsal.id, result })
    this.#publish()
  }

  #endOf({ state, problem }: Extract<FromRehearsal, { event: 'end' }>): Partial<Rehearsal> {
    const { options, hasSecret } = this.#rehearsal
    const isComplete = state === 'done' && problem === null
    const grade = isComplete ? gradeOf(this.results, { ...options, hasSecret }) : {}
    return { state, problem, endedAt: Date.now(), ...grade }
  }

  #crashed(error: Error): void {
    const logId = this.#ports.log.error('the thread of a rehearsal crashed', error)
    const message = `The rehearsal ended because of an internal error. See the log entry ${logId}.`
    this.#end = { state: 'failed', endedAt: Date.now(), problem: { message, causes: [] } }
  }

  async #exited(): Promise<void> {
    // A thread that waits for effects or a response when it is stopped is terminated, and reports no end.
    if (this.#stopping) this.#end ??= { state: 'cancelled', endedAt: Date.now() }
    this.#listening.reject(new Error('the thread of a rehearsal ended before it listened'))
    const isInterrupted = this.#stopping === 'interrupt' && this.#end?.state === 'cancelled'
    try {
      if (this.#end && !isInterrupted) {
        const rehearsal = { ...this.#rehearsal, ...this.#end, ...noProgress(this.#rehearsal) }
        // Only a run whose results are stored has ended.
        await this.#store(rehearsal)
        this.#rehearsal = rehearsal
        this.#publish()
      }
    } catch (error) {
      this.#ports.log.error('a rehearsal could not be stored', error)
    }
    this.#ended.resolve()
  }

  async #store(rehearsal: Rehearsal): Promise<void> {
    const { store, write } = this.#ports
    await write(() => store.writer.call('updateRehearsal', rehearsal))
  }

  #publish(): void {
    this.#ports.push('rehearsals.changed', { rehearsal: this.#rehearsal, removed: false })
  }
}

/** Clears what only a running test of an OAuth client has. */
function noProgress({ options }: Pick<Rehearsal, 'options'>): Partial<Rehearsal> {
  return options.oauth ? { step: null, progress: null } : {}
}

/** A run that is stored as running, but has no thread, was interrupted. */
export function endInterrupted(stored: Rehearsal): Rehearsal {
  return stored.state === 'running'
    ? { ...stored, state: 'interrupted', ...noProgress(stored) }
    : stored
}
