import { randomInt } from 'node:crypto'
import { Worker, type MessagePort } from 'node:worker_threads'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { isSuccess } from '#contract/scenario-texts.ts'
import type { Scenario, ScenarioResult, ScenarioRun } from '#contract/scenarios.ts'
import { createMutex } from '#shared/async/mutex.ts'
import type { Logs } from '../event-logs/service.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import type { Network } from '../platform/http/network.ts'
import type { Log } from '../platform/ports.ts'
import { connectApi, serveApi } from '../platform/rpc.ts'
import type { SenderConfig } from '../sending/messages.ts'
import type { Sender } from '../sending/sender.ts'
import { assertTargetAllowed, parseTarget } from '../sending/target.ts'
import type { Store } from '../store/store.ts'
import { throwScenarioNotFound } from './log-source.ts'
import type { RunTask, ScenarioSink } from './runner.ts'
import type { Copy, ScenarioRecord } from './store.ts'
import type { SaveEnd, SaveTask, ScenarioThreadApi } from './worker.ts'

export interface ScenarioPorts {
  readonly entry: URL
  readonly network: Network
  readonly log: Log
  readonly clock: Clock
  readonly store: Pick<Store, 'reader' | 'writer' | 'path'>
  readonly sender: Pick<Sender, 'api'>
  readonly configuration: () => SenderConfig
  readonly ownPorts: SharedArrayBuffer
  readonly logs: Pick<Logs, 'pathOf'>
  readonly push: <N extends PushName>(name: N, payload: PushPayload<N>) => void
}

interface LiveRun {
  run: ScenarioRun
  readonly task: Task
  readonly ended: Promise<void>
}

/** Each save and each run has its own thread; runs do not wait for each other. */
export class Scenarios {
  readonly #ports: ScenarioPorts
  readonly #live = new Map<number, LiveRun>()
  readonly #saves = new Set<Task>()
  /** What has no name is deleted, unless it is being saved. */
  readonly #exclusively = createMutex()

  constructor(ports: ScenarioPorts) {
    this.#ports = ports
  }

  async list(): Promise<Scenario[]> {
    const stored = await this.#ports.store.reader.call('scenarios')
    return stored.map((each) => this.#currentScenario(each))
  }

  /** Throws `not_found`. */
  async get(name: string): Promise<CallOutput<'scenarios.get'>> {
    const found = await this.#ports.store.reader.call('scenarioWithRuns', name)
    const { scenario, deliveries, runs } = found ?? throwScenarioNotFound(name)
    return {
      scenario: this.#currentScenario(scenario),
      deliveries,
      runs: runs.map((run) => this.#current(run)),
    }
  }

  results(run: number): Promise<ScenarioResult[]> {
    return this.#ports.store.reader.call('scenarioResults', run)
  }

  /** Throws like the call. */
  save(input: ParsedInput<'scenarios.save'>): Promise<Scenario> {
    return this.#exclusively(() => this.#save(input))
  }

  /** Stops its run. Throws `not_found`. */
  remove(name: string): Promise<void> {
    return this.#exclusively(async () => {
      await this.#stopRunOf(name)
      await this.#ports.store.writer.call('unnameScenario', name)
      this.#ports.push('scenarios.changed', { name })
      await this.#deleteUnnamed()
    })
  }

  /** Throws like the call. */
  async run(input: ParsedInput<'scenarios.run'>): Promise<ScenarioRun> {
    const { store, sender, clock, network, ownPorts } = this.#ports
    const { scenario, runs } = await this.get(input.name)
    if (scenario.lastRun?.state === 'running') {
      throw new AppError(
        'in_use',
        `Scenario "${scenario.name}" is already running. Wait, or stop it.`,
      )
    }
    const config = this.#ports.configuration()
    const { endpointId } = input
    if (endpointId !== null && !config.endpoints.some(({ id }) => id === endpointId)) {
      throw new AppError('not_found', 'The endpoint does not exist. It may have been deleted.')
    }
    const url = parseTarget(input.url ?? defaultTarget(scenario, config)).href
    assertTargetAllowed(await sender.api.call('resolve', url))
    const compared = runs.find((run) => run.state === 'done' && run.url === url)
    const before = compared ? await this.results(compared.id) : []
    const { speed, keepIds, timeout, insecure, secret = null } = input
    const seed = input.seed ?? randomInt(2 ** 31)
    const fields: Omit<ScenarioRun, 'id'> = {
      scenario: scenario.name,
      startedAt: clock.now(),
      endedAt: null,
      state: 'running',
      url,
      speed,
      keepIds,
      seed,
      total: scenario.deliveries,
      ok: 0,
      failed: 0,
      unsigned: 0,
      comparedTo: compared?.id ?? null,
      changed: 0,
      problem: null,
    }
    const id = await store.writer.call('insertScenarioRun', {
      scenarioId: scenario.id,
      run: fields,
    })
    const link = network.link()
    const task: RunTask = {
      task: 'run',
      storePath: store.path,
      scenarioId: scenario.id,
      total: scenario.deliveries,
      url,
      speed,
      keepIds,
      seed,
      timeout,
      insecure,
      endpointId,
      secret,
      config,
      ownPorts,
      network: link,
    }
    const run: ScenarioRun = { ...fields, id }
    this.#begin(run, before, task)
    this.#ports.push('scenarios.progress', { run, results: [] })
    return run
  }

  /** Throws `not_found`. */
  async stop(id: number): Promise<ScenarioRun> {
    const live = this.#live.get(id)
    live?.task.stop()
    await live?.ended
    const stored = await this.#ports.store.reader.call('scenarioRun', id)
    if (stored) return this.#current(stored)
    throw new AppError('not_found', `Run ${id} does not exist. It may have been deleted.`)
  }

  async close(): Promise<void> {
    for (const task of this.#saves) task.stop()
    const runs = [...this.#live.values()]
    for (const { task } of runs) task.stop()
    await Promise.all(runs.map(({ ended }) => ended))
    await this.#exclusively(async () => undefined)
  }

  async #find(name: string): Promise<Scenario> {
    const stored = await this.#ports.store.reader.call('scenario', name)
    return stored ? this.#currentScenario(stored) : throwScenarioNotFound(name)
  }

  #current(stored: ScenarioRun): ScenarioRun {
    return this.#live.get(stored.id)?.run ?? stored
  }

  #currentScenario(stored: Scenario): Scenario {
    return { ...stored, lastRun: stored.lastRun && this.#current(stored.lastRun) }
  }

  async #save({ name, what, force }: ParsedInput<'scenarios.save'>): Promise<Scenario> {
    const { store, clock, logs, push } = this.#ports
    const replaced = await store.reader.call('scenario', name)
    if (replaced && !force) {
      throw new AppError(
        'name_taken',
        `A scenario "${name}" already exists. Use another name, or replace it (--force on the command line).`,
      )
    }
    await this.#deleteUnnamed()
    const id = await store.writer.call('insertScenario')
    const counted = new Counted()
    const task = startTask<SaveEnd>(
      this.#ports.entry,
      {
        task: 'save',
        storePath: what.log === null ? store.path : logs.pathOf(what.log),
        what,
        asOf: clock.now(),
      },
      {
        copies: async (copies) => {
          await store.writer.call('addCopies', { id, from: counted.deliveries, copies })
          counted.add(copies)
        },
        results: async () => undefined,
      },
    )
    this.#saves.add(task)
    try {
      const end = await task.ended
      const record = { savedAt: clock.now(), ...counted.fields, ...end }
      if (replaced) await this.#stopRunOf(name)
      await store.writer.call('nameScenario', { id, name, record })
    } finally {
      this.#saves.delete(task)
      await this.#deleteUnnamed()
    }
    push('scenarios.changed', { name })
    return this.#find(name)
  }

  #begin(run: ScenarioRun, before: readonly ScenarioResult[], runTask: RunTask): void {
    const { store, push, log, clock } = this.#ports
    const statuses = new Map(before.map(({ position, status }) => [position, status]))
    const task = startTask<null>(
      this.#ports.entry,
      runTask,
      {
        copies: async () => undefined,
        results: async ({ results: received, unsigned }) => {
          const results = received.map((result) => compared(result, statuses))
          live.run = counted(live.run, results, unsigned)
          await store.writer.call('recordScenarioResults', { run: live.run, results })
          push('scenarios.progress', { run: live.run, results })
        },
      },
      [runTask.network.port],
    )
    const end = async (): Promise<void> => {
      let problem: string | null = null
      try {
        await task.ended
      } catch (error) {
        problem =
          error instanceof AppError
            ? error.message
            : `The run ended because of an internal error. See the log entry ${log.error('the run of a scenario failed', error)}.`
      }
      const state = task.isStopped || problem !== null ? 'interrupted' : 'done'
      live.run = { ...live.run, state, problem, endedAt: clock.now() }
      try {
        await store.writer.call('recordScenarioResults', { run: live.run, results: [] })
      } catch (error) {
        log.error('the end of a scenario was not stored', error)
      }
      this.#live.delete(run.id)
      push('scenarios.progress', { run: live.run, results: [] })
    }
    const live: LiveRun = { run, task, ended: end() }
    this.#live.set(run.id, live)
  }

  async #stopRunOf(name: string): Promise<void> {
    const { lastRun } = await this.#find(name)
    const live = lastRun === null ? undefined : this.#live.get(lastRun.id)
    live?.task.stop()
    await live?.ended
  }

  /** Also those that were left when Tabscope ended. */
  async #deleteUnnamed(): Promise<void> {
    const { reader, writer } = this.#ports.store
    for (const id of await reader.call('unnamedScenarios')) {
      while (await writer.call('deleteScenarioPart', id));
    }
  }
}

class Counted {
  deliveries = 0
  #bytes = 0
  #firstAt = Number.POSITIVE_INFINITY
  #lastAt = 0
  #endpointId: number | null = null

  add(copies: readonly Copy[]): void {
    for (const { fields, body } of copies) {
      this.deliveries += 1
      this.#bytes += body.byteLength
      this.#firstAt = Math.min(this.#firstAt, fields.receivedAt)
      this.#lastAt = Math.max(this.#lastAt, fields.receivedAt)
      this.#endpointId ??= fields.endpointId
    }
  }

  get fields(): Pick<ScenarioRecord, 'deliveries' | 'bytes' | 'firstAt' | 'lastAt' | 'endpointId'> {
    return {
      deliveries: this.deliveries,
      bytes: this.#bytes,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      endpointId: this.#endpointId,
    }
  }
}

function compared(
  result: ScenarioResult,
  before: ReadonlyMap<number, number | null>,
): ScenarioResult {
  const status = before.get(result.position)
  return status === undefined || status === result.status ? result : { ...result, before: status }
}

function counted(
  run: ScenarioRun,
  results: readonly ScenarioResult[],
  unsigned: number,
): ScenarioRun {
  const ok = results.filter(({ status }) => isSuccess(status)).length
  return {
    ...run,
    ok: run.ok + ok,
    failed: run.failed + results.length - ok,
    unsigned: run.unsigned + unsigned,
    changed: run.changed + results.filter(({ before }) => before !== undefined).length,
  }
}

/** Throws `bad_target`. */
function defaultTarget(
  { name, lastRun, endpointId }: Scenario,
  { forwards }: SenderConfig,
): string {
  const forward = forwards.find((each) => each.enabled && each.endpointId === endpointId)
  const url = lastRun?.url ?? forward?.url
  if (url !== undefined) return url
  throw new AppError(
    'bad_target',
    `Scenario "${name}" has no target yet: it was never run, and its endpoint has no forward target. Enter a target URL (--to on the command line).`,
  )
}

interface Task<T = unknown> {
  readonly ended: Promise<T>
  readonly isStopped: boolean
  stop(): void
}

function startTask<T extends SaveEnd | null>(
  entry: URL,
  workerData: SaveTask | RunTask,
  sink: ScenarioSink,
  transferList: MessagePort[] = [],
): Task<T> {
  const worker = new Worker(entry, {
    workerData,
    transferList,
    resourceLimits: heapLimits.scenario,
  })
  const api = connectApi<ScenarioThreadApi>(worker)
  serveApi(worker, sink)
  let isStopped = false
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a save ends with a `SaveEnd`, a run with null
    ended: (api.call('start') as Promise<T>).finally(() => void worker.terminate()),
    get isStopped() {
      return isStopped
    },
    stop: () => {
      isStopped = true
      api.call('stop').catch(() => undefined)
    },
  }
}
