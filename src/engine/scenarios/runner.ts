import { setImmediate as yieldToOthers, setTimeout as pause } from 'node:timers/promises'
import type { Header } from '#contract/models.ts'
import type { ScenarioResult } from '#contract/scenarios.ts'
import type { EndpointRoute } from '../capture/messages.ts'
import type { Captured } from '../deliveries/store.ts'
import { AppError } from '../platform/errors.ts'
import { Network, type NetworkLink } from '../platform/http/network.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import type { Db } from '../platform/sqlite.ts'
import { unknownTime } from '#contract/constants.ts'
import { pacingOf, Schedule } from '../sending/jobs/pacing.ts'
import { OwnPorts, type SenderConfig } from '../sending/messages.ts'
import { namesOf } from '../sending/prepare/header-list.ts'
import { prepareResend, type Prepared } from '../sending/prepare/prepare.ts'
import { SenderConfiguration } from '../sending/sender-configuration.ts'
import { createWire, type Wire } from '../sending/wire/wire.ts'
import { hmac, namedKey } from '../signature/verify.ts'
import { collectIds, replaceIds, rewriteBody, type Rewriting } from './rewrite.ts'
import { createCopyReader, type Copy } from './store.ts'

/** Secrets stay inside the process. */
export interface RunTask {
  readonly task: 'run'
  readonly storePath: string
  readonly scenarioId: number
  readonly total: number
  readonly url: string
  /** Null: at once. */
  readonly speed: number | null
  readonly keepIds: boolean
  readonly seed: number
  readonly timeout: number
  readonly insecure: boolean
  /** Whose secret signs; null: that of each delivery. */
  readonly endpointId: number | null
  /** Signs instead of that of an endpoint. */
  readonly secret: string | null
  readonly config: SenderConfig
  readonly ownPorts: SharedArrayBuffer
  readonly network: NetworkLink
}

/** Called by the thread of a task. Each call resolves once its input is stored. */
export type ScenarioSink = {
  copies: (copies: readonly Copy[]) => Promise<void>
  /** `unsigned`: how many of them were sent without a signature. */
  results: (batch: { results: readonly ScenarioResult[]; unsigned: number }) => Promise<void>
}

const concurrencyAtOnce = 8
/** setTimeout can wait no longer. */
const maxTimeoutMs = 2 ** 31 - 1
/** Only the status is compared. */
const maxResponseBytes = 64 * 1024

/** Sends each delivery once, in order. Resolves when all results are stored, also after an abort. */
export async function runScenario(
  db: Db,
  task: RunTask,
  sink: ThreadClient<ScenarioSink>,
  signal: AbortSignal,
): Promise<void> {
  const copyAt = createCopyReader(db, task.scenarioId)
  const rewriting = await prepareRewriting(task, copyAt, signal)
  const network = Network.join(task.network)
  const configuration = new SenderConfiguration(task.config, network)
  const wire = createWire(new OwnPorts(task.ownPorts), () => task.config.listener, network)
  const results = new Results(sink)
  const { timed, concurrency, ...pacing } = pacingOf(
    task.speed === null
      ? { how: 'concurrent', concurrency: concurrencyAtOnce }
      : { how: 'spacing', speed: task.speed, longestGap: Number.POSITIVE_INFINITY },
  )
  const schedule = new Schedule({ timed, concurrency, ...pacing })
  const inFlight = new Set<Promise<void>>()
  try {
    for (let position = 0; position < task.total && !signal.aborted; position += 1) {
      const copy = copyAt(position)
      if (!copy) continue
      const { receivedAt } = copy.fields
      const receivedUs = receivedAt === unknownTime ? null : receivedAt * 1000
      if (timed) await untilDue(schedule, receivedUs, signal)
      while (inFlight.size >= concurrency) await Promise.race(inFlight)
      if (signal.aborted) break
      schedule.started(receivedUs, performance.now())
      const sent = send(copy, task, { rewriting, configuration, wire, signal }).then(
        ({ isSigned, ...result }) => results.add({ position, ...result }, isSigned),
      )
      inFlight.add(sent)
      void sent.finally(() => inFlight.delete(sent))
    }
    await Promise.all(inFlight)
    await results.stored()
  } finally {
    await wire.close()
  }
}

async function untilDue(
  schedule: Schedule,
  receivedUs: number | null,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = performance.now()
    const ms = schedule.due(receivedUs, now) - now
    if (ms <= 0) return
    await pause(Math.min(ms, maxTimeoutMs), undefined, { signal }).catch(() => undefined)
  }
}

/** New IDs for the whole scenario, so that a delivery may name an ID before the one that documents it. */
async function prepareRewriting(
  { total, speed, keepIds, seed }: RunTask,
  copyAt: (position: number) => Copy | null,
  signal: AbortSignal,
): Promise<Rewriting> {
  const ids = new Set<string>()
  let first: number | null = null
  let last = Number.NEGATIVE_INFINITY
  for (let position = 0; position < total && !signal.aborted; position += 1) {
    if (position % 100 === 99) await yieldToOthers()
    const copy = copyAt(position)
    if (!copy) continue
    const { createdAt, type } = copy.fields
    if (createdAt !== null) {
      first ??= createdAt
      last = Math.max(last, createdAt)
    }
    if (!keepIds) collectIds(copy.body, type, ids)
  }
  const start = Date.now()
  const origin = first ?? start
  return {
    ids: replaceIds(ids, seed),
    shift:
      speed === null
        ? (time) => time + (first === null ? 0 : start - last)
        : (time) => start + (time - origin) / speed,
  }
}

type Sent = Omit<ScenarioResult, 'position'> & { readonly isSigned: boolean }

interface SendParts {
  readonly rewriting: Rewriting
  readonly configuration: SenderConfiguration
  readonly wire: Wire
  readonly signal: AbortSignal
}

/** Never rejects for a delivery that cannot be sent. */
async function send(
  copy: Copy,
  task: RunTask,
  { rewriting, configuration, wire, signal }: SendParts,
): Promise<Sent> {
  const body = rewriteBody(copy.body, copy.fields.type, rewriting)
  const signature = signatureOf(body, copy, task, configuration)
  const isSigned = signature !== null
  let prepared: Prepared
  try {
    prepared = prepareResend(
      capturedOf(copy),
      {
        url: new URL(task.url),
        sign: { how: isSigned ? 'keep' : 'none' },
        edits: { headers: signature ? [signature] : [], body },
      },
      configuration,
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: null, error: error.message, durationMs: null, isSigned }
  }
  const known = configuration.known(prepared.request.url.origin)
  const { response, error, timings } = await wire.exchange(prepared.request, {
    timeout: task.timeout,
    maxResponseBytes,
    verifyTls: !task.insecure && known?.verifyTls !== false,
    publicAllowed: known?.confirmed === true,
    keepAlive: true,
    own: 'send',
    signal,
  })
  return {
    status: error === null ? (response?.status ?? null) : null,
    error: error?.message ?? null,
    durationMs: timings.totalMs,
    isSigned,
  }
}

function capturedOf({ fields, body }: Copy): Captured {
  return {
    id: fields.id,
    method: fields.method,
    path: fields.path,
    headers: fields.headers,
    trailers: fields.trailers,
    body,
    whole: true,
    sha256: null,
    endpointId: fields.endpointId,
    brand: fields.brand,
    type: fields.type,
    receivedUs: Math.round(fields.receivedAt * 1000),
    own: null,
  }
}

/** Null: there is no secret. */
function signatureOf(
  body: Uint8Array,
  { fields }: Copy,
  { endpointId, secret, config }: RunTask,
  configuration: SenderConfiguration,
): Header | null {
  const endpoint =
    endpointId === null
      ? (configuration.endpoint(fields.endpointId) ?? endpointOfPath(fields.path, config))
      : configuration.endpoint(endpointId)
  const key = secret ?? endpoint?.secrets.find(({ name }) => name === 'current')?.secret ?? null
  if (key === null) return null
  return [namesOf(fields.brand).usual.signature, hmac(body, namedKey('current', key).key)]
}

/** Of a delivery from an event log: the endpoint with its path, else the only one. */
function endpointOfPath(path: string, { endpoints }: SenderConfig): EndpointRoute | undefined {
  const found = endpoints.find((endpoint) => endpoint.path === path)
  return found ?? (endpoints.length === 1 ? endpoints[0] : undefined)
}

/** Stores results in groups: the next one while the last one is being stored. */
class Results {
  readonly #sink: ThreadClient<ScenarioSink>
  #waiting: ScenarioResult[] = []
  #unsigned = 0
  #storing: Promise<void> | null = null

  constructor(sink: ThreadClient<ScenarioSink>) {
    this.#sink = sink
  }

  add(result: ScenarioResult, isSigned: boolean): void {
    this.#waiting.push(result)
    if (!isSigned) this.#unsigned += 1
    this.#storing ??= this.#store().finally(() => (this.#storing = null))
  }

  async stored(): Promise<void> {
    await this.#storing
  }

  async #store(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = { results: this.#waiting, unsigned: this.#unsigned }
      this.#waiting = []
      this.#unsigned = 0
      await this.#sink.call('results', batch)
    }
  }
}
