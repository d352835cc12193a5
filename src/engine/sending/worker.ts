import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Progress } from '../capture/progress.ts'
import { createCapturedReader } from '../deliveries/store.ts'
import { openReader, prepare } from '../platform/sqlite.ts'
import type { SendWrites } from './store/send-writes.ts'
import { connectApi, serveApi } from '../platform/rpc.ts'
import { createForwards } from './forward/forwards.ts'
import { createJobs } from './jobs/jobs.ts'
import type { PassQuestion, SenderApi, SenderEvent, SenderThreadData } from './messages.ts'
import type { SenderParts } from './parts.ts'
import { createRecorder } from './recorder.ts'
import { createSingles } from './single/single.ts'
import { lookAt, parseTarget, assertNoLoop, defaultUrlOf } from './target.ts'
import { createWire } from './wire/wire.ts'
import { OwnPorts } from './wire/own-ports.ts'
import { SenderConfiguration } from './sender-configuration.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { JobPlan } from '#contract/sending.ts'
import { AppError } from '../platform/errors.ts'
import { readLastUrl } from './store/attempts.ts'

/** As many targets as a plan names. */
const mostTargets = 20
/** After so many deliveries the thread gives way to what is being sent. */
const atOnce = 500

interface Row {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly path: string
}

/** What a job would send, and where. `url` null: each to its default target. Throws `bad_target`. */
async function planJob(
  { db, world }: SenderParts,
  url: string | null,
  ids: readonly number[],
): Promise<JobPlan> {
  const to = url === null ? null : parseTarget(url)
  const read = prepare<[number], Row>(
    db,
    'SELECT id, endpoint_id AS endpointId, type, path FROM delivery WHERE id = ?',
  )
  const targetOf = (row: Row): string | null => {
    if (to !== null) return to.href
    try {
      return defaultUrlOf(row, readLastUrl(db, row.id), world).href
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_target') return null
      throw error
    }
  }
  const missing: number[] = []
  const counts = new Map<string | null, number>()
  for (const [index, id] of ids.entries()) {
    if (index % atOnce === atOnce - 1) await yieldToOthers()
    const row = read.get(id)
    if (row === undefined) {
      missing.push(id)
      continue
    }
    const target = targetOf(row)
    counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostTargets)
  return {
    requests: ids.length - missing.length,
    missing,
    targets: await Promise.all(
      most.map(async ([target, requests]) => ({
        url: target,
        requests,
        place: target === null ? null : (await lookAt(new URL(target), world)).place,
      })),
    ),
  }
}

/** The sender thread: all that goes out as a delivery. A target that is slow, down or hostile is nobody else's concern. */
function run(port: MessagePort, data: SenderThreadData): void {
  const world = new SenderConfiguration(data.config)
  const db = openReader(data.storePath)
  const progress = new Progress(data.progress)
  const writes = connectApi<SendWrites>(data.writer)
  const tell = (event: SenderEvent): void => port.postMessage(event)
  const wire = createWire(new OwnPorts(data.ownPorts), () => world.listener)
  const parts: SenderParts = {
    world,
    wire,
    db,
    captured: createCapturedReader(db),
    writes,
    recorder: createRecorder(writes, progress, (rows) => tell({ event: 'attempts', rows })),
    progress,
    tell,
    answerPass: (answer) => data.capture.postMessage(answer),
  }
  const singles = createSingles(parts)
  const jobs = createJobs(parts)
  const forwards = createForwards(parts, data.followFrom)
  data.capture.on('message', (question: PassQuestion) => forwards.pass(question))

  const api: SenderApi = {
    configure: (config) => {
      world.configure(config)
      forwards.configured()
    },
    look: (url) => lookAt(parseTarget(url), world),
    lookToForward: async (text) => {
      const url = parseTarget(text)
      assertNoLoop(url, world.publicAddresses)
      return lookAt(url, world)
    },
    startDraft: (input) => singles.startDraft(input),
    startLogged: (input) => singles.startLogged(input),
    preview: (input) => singles.preview(input),
    resend: (wish) => singles.resend(wish),
    sendDraft: (wish) => singles.sendDraft(wish),
    cancel: (key) => singles.cancel(key),
    planJob: ({ url, ids }) => planJob(parts, url, ids),
    startJob: ({ wish, ids }) => jobs.start(wish, ids),
    pauseJob: (id) => jobs.pause(id),
    resumeJob: ({ id, uncertain }) => jobs.resume(id, uncertain),
    cancelJob: (id) => jobs.cancel(id),
    resendFailed: (id) => jobs.resendFailed(id),
    liveJobs: () => jobs.live(),
    health: () => forwards.health(),
    dropWaiting: (forwardId) => forwards.dropWaiting(forwardId),
    stop: async () => {
      await Promise.all([singles.close(), jobs.close(), forwards.close()])
      await wire.close()
      await parts.recorder.close()
      data.capture.close()
      data.writer.close()
      db.close()
    },
  }
  serveApi(port, api)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `createSender` gave, in the same program
if (parentPort) run(parentPort, workerData as SenderThreadData)
