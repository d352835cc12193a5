import { gradeOf } from '#catalogue/rehearsal/grade.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { CaseResult, OAuthClientConfig, Rehearsal } from '#contract/rehearsal.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { Network } from '../../platform/http/network.ts'
import type { Log } from '../../platform/ports.ts'
import { Task, type TaskEnd, type TaskOptions } from '../../platform/task.ts'
import type { StoreWrites } from '../../platform/store/store-port.ts'
import type { recordRehearsalCase, updateRehearsal } from '../../event-logs/rehearsal-store.ts'
import type { EndedCase, Observed, RehearsalShape } from './messages.ts'

const commandTimeoutMs = 15_000

export interface LiveRunPorts {
  readonly entry: URL
  readonly network: Network
  readonly log: Log
  readonly store: StoreWrites<{
    updateRehearsal: typeof updateRehearsal
    recordRehearsalCase: typeof recordRehearsalCase
  }>
  readonly push: <N extends PushName>(name: N, payload: PushPayload<N>) => void
}

/** A run in its thread, until the thread has ended and the run is stored. */
export class LiveRun {
  readonly results: CaseResult[] = []
  /** What the app has to be configured with. Null: the run is for a webhook handler, or does not listen yet. */
  client: OAuthClientConfig | null = null
  /** Resolves when the thread has ended and the run is stored. */
  readonly ended: Promise<void>
  readonly #ports: LiveRunPorts
  readonly #task: Task<RehearsalShape>
  readonly #listening = Promise.withResolvers<{ baseUrl: string; port: number }>()
  #rehearsal: Rehearsal
  #isInterrupted = false
  #asked: { key: number; resolve: (observed: Observed) => void } | null = null
  #lastKey = 0

  constructor(
    rehearsal: Rehearsal,
    input: TaskOptions<RehearsalShape>['input'],
    ports: LiveRunPorts,
  ) {
    this.#rehearsal = rehearsal
    this.#ports = ports
    this.#task = new Task<RehearsalShape>({
      entry: ports.entry,
      limits: heapLimits.rehearsal,
      network: ports.network,
      input,
      reports: {
        listening: (server) => this.#listening.resolve(server),
        progress: (changes) => {
          this.#rehearsal = { ...this.#rehearsal, ...changes }
          this.#publish()
        },
        result: (ended) => this.#addResult(ended),
        observe: () => this.#observe(),
      },
    })
    handledLater(this.#listening.promise)
    this.ended = this.#task.ended.then((end) => this.#end(end))
  }

  get rehearsal(): Rehearsal {
    return this.#rehearsal
  }

  /** The server of a run for an OAuth client. Rejects with what ended the run before, such as `port_in_use`. */
  get listening(): Promise<{ baseUrl: string; port: number }> {
    return this.#listening.promise
  }

  /** `interrupt`: because Tabscope ends. Resolves when the run is stored. */
  stop(how: 'cancel' | 'interrupt'): Promise<void> {
    this.#isInterrupted = how === 'interrupt'
    void this.#task.cancel()
    return this.ended
  }

  async update(changes: Partial<Rehearsal>): Promise<Rehearsal> {
    const rehearsal = { ...this.#rehearsal, ...changes }
    // Before it is stored: progress may be reported meanwhile.
    this.#rehearsal = rehearsal
    await this.#ports.store.writer.call('updateRehearsal', rehearsal)
    this.#publish()
    return rehearsal
  }

  observed({ key, ...observed }: Omit<ParsedInput<'rehearsals.observed'>, 'id'>): void {
    if (this.#asked?.key === key) this.#asked.resolve(observed)
  }

  async #observe(): Promise<Observed> {
    const key = (this.#lastKey += 1)
    const asked = Promise.withResolvers<Observed>()
    this.#asked = { key, resolve: asked.resolve }
    const late = { value: null, error: 'The command of the observer did not end in time.' }
    const timer = setTimeout(() => asked.resolve(late), commandTimeoutMs).unref()
    this.#ports.push('rehearsals.observe', { id: this.#rehearsal.id, key })
    return asked.promise.finally(() => clearTimeout(timer))
  }

  async #addResult({ result, requests }: EndedCase): Promise<void> {
    const { log, store, push } = this.#ports
    const { id, counts } = this.#rehearsal
    const rehearsal = {
      ...this.#rehearsal,
      counts: { ...counts, [result.result]: (counts[result.result] ?? 0) + 1 },
    }
    this.#rehearsal = rehearsal
    try {
      await store.writer.call('recordRehearsalCase', { rehearsal, result, requests })
    } catch (error) {
      log.error('the result of a rehearsal was not stored', error)
    }
    this.results.push(result)
    push('rehearsals.result', { id, result })
    this.#publish()
  }

  async #end(end: TaskEnd<RehearsalShape['output']>): Promise<void> {
    if (this.#rehearsal.options.oauth && !this.client) {
      const error =
        end.kind === 'failed' ? end.error : new Error('the run ended before it listened')
      return this.#listening.reject(error)
    }
    // It is stored as running, and therefore is interrupted.
    if (end.kind === 'cancelled' && this.#isInterrupted) return
    try {
      const rehearsal = {
        ...this.#rehearsal,
        ...this.#outcomeOf(end),
        endedAt: Date.now(),
        ...noProgress(this.#rehearsal),
      }
      // Only a run whose results are stored has ended.
      await this.#ports.store.writer.call('updateRehearsal', rehearsal)
      this.#rehearsal = rehearsal
      this.#publish()
    } catch (error) {
      this.#ports.log.error('a rehearsal could not be stored', error)
    }
  }

  #outcomeOf(end: TaskEnd<RehearsalShape['output']>): Partial<Rehearsal> {
    const { options, hasSecret } = this.#rehearsal
    switch (end.kind) {
      case 'cancelled':
        return { state: 'cancelled' }
      case 'failed': {
        const logId = this.#ports.log.error('the thread of a rehearsal crashed', end.error)
        const message = `The rehearsal ended because of an internal error. See the log entry ${logId}.`
        return { state: 'failed', problem: { message, causes: [] } }
      }
      case 'done': {
        const problem = end.output
        if (problem === null) {
          return { state: 'done', ...gradeOf(this.results, { ...options, hasSecret }) }
        }
        return { state: problem.causes.length === 0 ? 'done' : 'failed', problem }
      }
    }
  }

  #publish(): void {
    this.#ports.push('rehearsals.changed', { rehearsal: this.#rehearsal, removed: false })
  }
}

function noProgress({ options }: Pick<Rehearsal, 'options'>): Partial<Rehearsal> {
  return options.oauth ? { step: null, progress: null } : {}
}

/** A run that is stored as running, but has no thread, was interrupted. */
export function endInterrupted(stored: Rehearsal): Rehearsal {
  return stored.state === 'running'
    ? { ...stored, state: 'interrupted', ...noProgress(stored) }
    : stored
}
