import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Progress } from '../platform/progress.ts'
import { createCapturedReader } from '../deliveries/store.ts'
import { Network } from '../platform/http/network.ts'
import { openReader, prepare } from '../platform/sqlite.ts'
import type {
  SendWrites,
  HoldInput,
  JobRequest,
  SenderConfig,
  SenderEvent,
  SenderThreadData,
} from './messages.ts'
import {
  OwnPorts,
  type AskRequest,
  type PassRequest,
  type OtherResponse,
} from '../receiving/listener/messages.ts'
import { connectApi, serveApi } from '../platform/rpc.ts'
import { Forwards } from './forward/forwards.ts'
import { createNamedScripts } from './named-scripts.ts'
import { createAnswers, editHeld, releaseHeld } from './hold/answers.ts'
import { Jobs } from './jobs/jobs.ts'
import type { SenderParts } from './parts.ts'
import { Recorder } from './recorder.ts'
import { createSingles } from './single/single.ts'
import { lookUpTarget, parseTarget, assertNoLoop, defaultUrlOf } from './target.ts'
import type { ScriptCall } from './scripts/messages.ts'
import { ScriptRunner } from './scripts/runner.ts'
import { createWire } from './wire/wire.ts'
import { SenderConfiguration } from './sender-configuration.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { DraftContent } from '#contract/compose.ts'
import type { JobPlan } from '#contract/sending.ts'
import { AppError } from '../platform/errors.ts'
import { readLastUrl } from './store/attempts.ts'

const maxTargets = 20
const yieldEvery = 500

interface Row {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly path: string
}

async function planJob(
  { db, configuration }: SenderParts,
  url: string | null,
  ids: readonly number[],
): Promise<JobPlan> {
  const fixedTarget = url === null ? null : parseTarget(url)
  const read = prepare<[number], Row>(
    db,
    'SELECT id, endpoint_id AS endpointId, type, path FROM delivery WHERE id = ?',
  )
  const targetOf = (row: Row): string | null => {
    if (fixedTarget !== null) return fixedTarget.href
    try {
      return defaultUrlOf(row, readLastUrl(db, row.id), configuration).href
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_target') return null
      throw error
    }
  }
  const missing: number[] = []
  const counts = new Map<string | null, number>()
  for (const [index, id] of ids.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await yieldToOthers()
    const row = read.get(id)
    if (row === undefined) {
      missing.push(id)
      continue
    }
    const target = targetOf(row)
    counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  const largest = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxTargets)
  return {
    requests: ids.length - missing.length,
    missing,
    targets: await Promise.all(
      largest.map(async ([target, requests]) => ({
        url: target,
        requests,
        location:
          target === null ? null : (await lookUpTarget(new URL(target), configuration)).location,
      })),
    ),
  }
}

/** A separate thread, so that a slow, broken or hostile target cannot affect the others. */
function createApi(port: MessagePort, data: SenderThreadData) {
  const network = Network.join(data.network)
  const configuration = new SenderConfiguration(data.config, network)
  const db = openReader(data.storePath)
  const progress = new Progress(data.progress)
  const writes = connectApi<SendWrites>(data.writer)
  const publish = (event: SenderEvent): void => port.postMessage(event)
  const wire = createWire(new OwnPorts(data.ownPorts), () => configuration.listener, network)
  const scripts = new ScriptRunner(new URL(data.scriptThread))
  const parts: SenderParts = {
    configuration,
    wire,
    db,
    captured: createCapturedReader(db),
    writes,
    recorder: new Recorder(writes, (rows) => publish({ event: 'attempts', rows })),
    progress,
    publish,
    runScript: createNamedScripts({ db, configuration, scripts, writes }),
    respond: (response) => data.capture.postMessage(response),
  }
  const { close: closeSingles, ...singles } = createSingles(parts)
  const jobs = new Jobs(parts)
  const forwards = new Forwards(parts, data.followFrom)
  const { holds } = forwards
  const answer = createAnswers(parts, forwards)
  data.capture.on('message', (question: PassRequest | AskRequest) => {
    if (question.kind === 'ask') answer(question)
    else forwards.pass(question)
  })

  return {
    configure: (config: SenderConfig): void => {
      configuration.configure(config)
      forwards.configured()
    },
    resolve: (url: string) => lookUpTarget(parseTarget(url), configuration),
    /** Like `resolve`, but throws for our own public URL. */
    resolveToForward: (text: string) => {
      const url = parseTarget(text)
      assertNoLoop(url, configuration.publicAddresses)
      return lookUpTarget(url, configuration)
    },
    ...singles,
    planJob: ({ url, ids }: { url: string | null; ids: readonly number[] }) =>
      planJob(parts, url, ids),
    /** `ids`: oldest first. `secret`: signs instead of that of an endpoint, and is kept in memory only. */
    startJob: (input: { request: JobRequest; ids: readonly number[]; secret: string | null }) =>
      jobs.start(input.request, input.ids, input.secret),
    pauseJob: (id: number) => jobs.pause(id),
    resumeJob: ({ id, uncertain }: { id: number; uncertain: 'skip' | 'send' }) =>
      jobs.resume(id, uncertain),
    cancelJob: (id: number) => jobs.cancel(id),
    resendFailed: (id: number) => jobs.resendFailed(id),
    liveJobs: () => jobs.live(),
    health: () => forwards.health(),
    runScript: (call: ScriptCall) => scripts.run(call),
    /** Null: it can be run. */
    checkScript: (source: string) => scripts.check(source),
    holdState: () => holds.state(),
    addHold: (input: HoldInput) => holds.add(input),
    stopHold: (id: number | undefined) => holds.stop(id),
    editHeld: (id: number) => editHeld(parts, forwards, id),
    releaseHeld: ({ ids, content }: HeldIds & { content: DraftContent | null }) =>
      releaseHeld(parts, forwards, ids, content),
    dropHeld: (ids: HeldIds['ids']) => holds.drop(ids),
    respondHeld: ({ ids, response }: HeldIds & { response: HeldResponse }) =>
      holds.respond(ids, response),
    dropWaiting: (forwardId: number) => forwards.dropWaiting(forwardId),
    /** Pending requests get a moment to finish and are then `aborted`. All of them are recorded. */
    stop: async (): Promise<void> => {
      await Promise.all([closeSingles(), jobs.close(), forwards.close()])
      await scripts.close()
      await wire.close()
      await parts.recorder.close()
      data.capture.close()
      data.writer.close()
      db.close()
    },
  }
}

interface HeldIds {
  readonly ids: readonly number[] | undefined
}

type HeldResponse = Pick<OtherResponse, 'status' | 'headers' | 'body'>

/** Called by the engine. Errors are `AppError`s. */
export type SenderApi = ReturnType<typeof createApi>

if (parentPort) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `createSender` in the same program
  serveApi(parentPort, createApi(parentPort, workerData as SenderThreadData))
}
