import { randomInt } from 'node:crypto'
import { basename } from 'node:path'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Scenario } from '#contract/scenarios.ts'
import type { Job } from '#contract/sending.ts'
import { createMutex } from '#shared/async/mutex.ts'
import type { LogReads } from '../import/library.ts'
import type { Logs } from '../service.ts'
import { AppError } from '../../platform/errors.ts'
import type { Bus } from '../../platform/event-bus.ts'
import { routes } from '../../platform/routes.ts'
import type { StoreWrites } from '../../platform/store/store-port.ts'
import type { SenderConfig } from '../../sending/messages.ts'
import { currentJobs, type JobStore, type Sender } from '../../sending/sender.ts'
import type { deleteJobsOfLog } from '../../sending/store/jobs.ts'
import type { WithoutDb } from '../../platform/sqlite.ts'
import { parseTarget } from '../../sending/target.ts'
import { runsOf, scenariosOf, throwScenarioNotFound, type readScenarioDeliveries } from './store.ts'

type ScenarioReads = LogReads & WithoutDb<{ scenarioDeliveries: typeof readScenarioDeliveries }>

interface ScenarioPorts {
  readonly bus: Pick<Bus, 'push'>
  readonly store: JobStore & StoreWrites<{ deleteJobsOfLog: typeof deleteJobsOfLog }>
  readonly sender: Pick<Sender, 'api' | 'liveJobs'>
  readonly configuration: () => SenderConfig
  readonly logs: Pick<
    Logs<ScenarioReads>,
    'scenarios' | 'saveScenario' | 'readerOf' | 'pathOf' | 'remove'
  >
}

const concurrencyAtOnce = 8
/** Of a pause between two deliveries, in milliseconds. */
const longestGap = 86_400_000

/** A scenario is an event log with copies of deliveries. A run of it is a job. */
export class Scenarios {
  readonly #ports: ScenarioPorts
  readonly #exclusively = createMutex()

  constructor(ports: ScenarioPorts) {
    this.#ports = ports
  }

  async list(): Promise<Scenario[]> {
    return scenariosOf(this.#ports.logs.scenarios(), await this.#jobs())
  }

  /** Throws `not_found`. */
  async get(name: string): Promise<CallOutput<'scenarios.get'>> {
    const scenario = await this.#find(name)
    const reader = await this.#ports.logs.readerOf(scenario.id)
    return {
      scenario,
      deliveries: await reader.call('scenarioDeliveries'),
      runs: runsOf(scenario.id, await this.#jobs()),
    }
  }

  /** Throws like the call. */
  save({ name, what, force }: ParsedInput<'scenarios.save'>): Promise<Scenario> {
    return this.#exclusively(async () => {
      const { logs, bus } = this.#ports
      const replaced = logs.scenarios().filter((log) => log.name === name)
      if (replaced.length > 0 && !force) {
        throw new AppError(
          'name_taken',
          `A scenario "${name}" already exists. Use another name, or replace it (--force on the command line).`,
        )
      }
      await logs.saveScenario(name, what)
      for (const { id } of replaced) await this.#delete(id)
      bus.push('scenarios.changed', { name })
      return this.#find(name)
    })
  }

  /** Cancels its run. Throws `not_found`. */
  remove(name: string): Promise<void> {
    return this.#exclusively(async () => {
      const { id } = await this.#find(name)
      await this.#delete(id)
      this.#ports.bus.push('scenarios.changed', { name })
    })
  }

  /** Throws like the call. */
  async run(input: ParsedInput<'scenarios.run'>): Promise<Job> {
    const { logs, sender } = this.#ports
    const { scenario, deliveries, runs } = await this.get(input.name)
    const { id: logId, name, lastRun } = scenario
    if (lastRun?.state === 'running') {
      throw new AppError('in_use', `Scenario "${name}" is already running. Wait, or stop it.`)
    }
    const config = this.#ports.configuration()
    const { endpointId, speed, keepIds, timeout, insecure, secret = null } = input
    if (endpointId !== null && !config.endpoints.some(({ id }) => id === endpointId)) {
      throw new AppError('not_found', 'The endpoint does not exist. It may have been deleted.')
    }
    const url = parseTarget(input.url ?? defaultTarget(scenario, config)).href
    const compared = runs.find((run) => run.state === 'done' && run.url === url)
    return sender.api.call('startJob', {
      ids: deliveries.map(({ id }) => id),
      secret,
      request: {
        filter: null,
        url,
        sign: { how: 'secret', endpointId, which: 'current' },
        edits: { headers: [], body: null },
        script: null,
        pace:
          speed === null
            ? { how: 'concurrent', concurrency: concurrencyAtOnce }
            : { how: 'spacing', speed, longestGap },
        timeout,
        insecure,
        scenario: {
          logId,
          store: basename(logs.pathOf(logId)),
          name,
          keepIds,
          seed: input.seed ?? randomInt(2 ** 31),
          comparedTo: compared?.id ?? null,
          hasSecret: secret !== null,
        },
      },
    })
  }

  async #find(name: string): Promise<Scenario> {
    const [log] = this.#ports.logs.scenarios().filter((each) => each.name === name)
    const [scenario] = log ? scenariosOf([log], await this.#jobs()) : []
    return scenario ?? throwScenarioNotFound(name)
  }

  #jobs(): Promise<Job[]> {
    return currentJobs(this.#ports, 'jobs')
  }

  async #delete(id: number): Promise<void> {
    const { sender, store, logs } = this.#ports
    for (const run of runsOf(id, await sender.liveJobs())) {
      await sender.api.call('cancelJob', run.id)
    }
    while (await store.writer.call('deleteJobsOfLog', id));
    await logs.remove(id)
  }
}

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

export const scenarioRoutes = routes<{ readonly scenarios: Scenarios }>()({
  'scenarios.list': ({ scenarios }) => scenarios.list(),
  'scenarios.get': ({ scenarios }, { name }) => scenarios.get(name),
  'scenarios.save': ({ scenarios }, input) => scenarios.save(input),
  'scenarios.remove': async ({ scenarios }, { name }) => {
    await scenarios.remove(name)
    return {}
  },
  'scenarios.run': ({ scenarios }, input) => scenarios.run(input),
})
