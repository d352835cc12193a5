import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Progress } from '../capture/progress.ts'
import { createCapturedReader } from '../deliveries/store.ts'
import { Network } from '../platform/http/network.ts'
import { openReader, prepare } from '../platform/sqlite.ts'
import {
  type SendWrites,
  OwnPorts,
  type AskRequest,
  type PassRequest,
  type SenderApi,
  type SenderEvent,
  type SenderThreadData,
} from './messages.ts'
import { connectApi, serveApi } from '../platform/rpc.ts'
import { Forwards } from './forward/forwards.ts'
import { createNamedScripts } from './named-scripts.ts'
import { createAnswers, editHeld, releaseHeld } from './hold/answers.ts'
import { Jobs } from './jobs/jobs.ts'
import type { SenderParts } from './parts.ts'
import { Recorder } from './recorder.ts'
import { createSingles } from './single/single.ts'
import { lookUpTarget, parseTarget, assertNoLoop, defaultUrlOf } from './target.ts'
import { ScriptRunner } from '../scripts/runner.ts'
import { createWire } from './wire/wire.ts'
import { SenderConfiguration } from './sender-configuration.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { JobPlan } from '#contract/sending.ts'
import { AppError } from '../platform/errors.ts'
import { readLastUrl } from './store/attempts.ts'

const maxTargets = 20
/** Planning yields to pending requests after this many deliveries. */
const yieldEvery = 500

interface Row {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly path: string
}

/** `url` null: each delivery to its default target. Throws `bad_target`. */
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
function run(port: MessagePort, data: SenderThreadData): void {
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
  const singles = createSingles(parts)
  const jobs = new Jobs(parts)
  const forwards = new Forwards(parts, data.followFrom)
  const { holds } = forwards
  const answer = createAnswers(parts, forwards)
  data.capture.on('message', (question: PassRequest | AskRequest) => {
    if (question.kind === 'ask') answer(question)
    else forwards.pass(question)
  })

  const api: SenderApi = {
    configure: (config) => {
      configuration.configure(config)
      forwards.configured()
    },
    resolve: (url) => lookUpTarget(parseTarget(url), configuration),
    resolveToForward: async (text) => {
      const url = parseTarget(text)
      assertNoLoop(url, configuration.publicAddresses)
      return lookUpTarget(url, configuration)
    },
    startDraft: (input) => singles.startDraft(input),
    startLogged: (input) => singles.startLogged(input),
    preview: (input) => singles.preview(input),
    resend: (request) => singles.resend(request),
    sendDraft: (request) => singles.sendDraft(request),
    cancel: (key) => singles.cancel(key),
    planJob: ({ url, ids }) => planJob(parts, url, ids),
    startJob: ({ request, ids, secret }) => jobs.start(request, ids, secret),
    pauseJob: (id) => jobs.pause(id),
    resumeJob: ({ id, uncertain }) => jobs.resume(id, uncertain),
    cancelJob: (id) => jobs.cancel(id),
    resendFailed: (id) => jobs.resendFailed(id),
    liveJobs: () => jobs.live(),
    health: () => forwards.health(),
    runScript: (call) => scripts.run(call),
    checkScript: (source) => scripts.check(source),
    holdState: () => holds.state(),
    addHold: (input) => holds.add(input),
    stopHold: (id) => holds.stop(id),
    editHeld: (id) => editHeld(parts, forwards, id),
    releaseHeld: ({ ids, content }) => releaseHeld(parts, forwards, ids, content),
    dropHeld: (ids) => holds.drop(ids),
    respondHeld: ({ ids, response }) => holds.respond(ids, response),
    dropWaiting: (forwardId) => forwards.dropWaiting(forwardId),
    stop: async () => {
      await Promise.all([singles.close(), jobs.close(), forwards.close()])
      await scripts.close()
      await wire.close()
      await parts.recorder.close()
      data.capture.close()
      data.writer.close()
      db.close()
    },
  }
  serveApi(port, api)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `createSender` in the same program
if (parentPort) run(parentPort, workerData as SenderThreadData)
