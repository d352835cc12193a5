import { parentPort, workerData } from 'node:worker_threads'
import {
  OwnPorts,
  type AskRequest,
  type AskResponse,
  type PassRequest,
  type PassResponse,
} from '../sending/messages.ts'
import { collectGarbage } from '../platform/release-memory.ts'
import { serveApi } from '../platform/rpc.ts'
import { TunnelListener } from './tunnel-listener.ts'
import type { ReceivedRequest } from './received-request.ts'
import { GroupCommit } from './group-commit.ts'
import type { FromWriter } from './groups.ts'
import type { CaptureApi, CaptureEvent, CaptureThreadData } from './messages.ts'
import { EndpointPaths } from './paths.ts'
import { HeldMemory } from './request-reader.ts'
import { Listener } from './listener.ts'
import { Progress } from './progress.ts'
import { Responder } from './respond/responder.ts'
import { SelfProbes } from './self-probes.ts'

/** Runs only the listener, so that no query, search or export delays a response. */
function run(port: NonNullable<typeof parentPort>, data: CaptureThreadData): void {
  let config = data.config
  let paths = new EndpointPaths(config.routes)
  let listener: Listener | null = null
  const ownPorts = new OwnPorts(data.ownPorts)
  const selfProbes = new SelfProbes(data.probeKey)
  const held = new HeldMemory()
  const emit = (event: CaptureEvent): void => port.postMessage(event)
  const { responder, commit } = createCommit(data, held, emit)
  const expedite = (): void => responder.expedite()
  reportUse(new Progress(data.shared))

  const listenerOptions = {
    limits: () => config.limits,
    held,
    endpointOf: (target: string) => paths.endpointOf(target),
    nearPath: (target: string) => paths.nearPath(target),
    received: (received: ReceivedRequest) => {
      if (!selfProbes.take(received, config.limits.bodyBytes)) {
        commit.add(received, config.fallbackBrand)
      }
    },
  }
  const makeListener = (): Listener =>
    new Listener({ ...listenerOptions, via: null, ownOf: (remotePort) => ownPorts.of(remotePort) })
  const tunnelListener = new TunnelListener(listenerOptions, expedite, Date.now)

  const api: CaptureApi = {
    listen: async (wanted) => {
      const next = makeListener()
      const actualPort = await next.open(wanted)
      const old = listener
      listener = next
      if (old) void old.close(200, 2000)
      expedite()
      return actualPort
    },
    openTunnelListener: () => tunnelListener.open(),
    closeTunnelListener: () => tunnelListener.close(),
    lastTunnelRequestAt: () => tunnelListener.lastRequestAt,
    tunnelConnectionsWaiting: () => tunnelListener.waiting,
    configure: (next) => {
      config = next
      paths = new EndpointPaths(next.routes)
      responder.configure(next.routes)
    },
    hold: (holding) => responder.hold(holding),
    releaseMemory: collectGarbage,
    drained: () => commit.drained(),
    stop: async ({ graceMs, deadlineMs }) => {
      const tunnelClosed = tunnelListener.close({ graceMs, deadlineMs })
      const closed = listener?.close(graceMs, deadlineMs)
      expedite()
      await closed
      await tunnelClosed
      await commit.drained()
      listener = null
    },
  }
  serveApi(port, api)
}

/** They know each other, the writer and the sender. */
function createCommit(
  data: CaptureThreadData,
  held: HeldMemory,
  emit: (event: CaptureEvent) => void,
): { readonly responder: Responder; readonly commit: GroupCommit } {
  const responder: Responder = new Responder({
    sender: {
      post: (question: PassRequest | AskRequest) => data.sender.postMessage(question),
    },
    answered: (response) => commit.addLate(response),
    used: (uses) => emit({ event: 'used', uses }),
  })
  responder.configure(data.config.routes)
  responder.hold(data.holding)
  data.sender.on('message', (response: PassResponse | AskResponse) => responder.receive(response))
  data.sender.on('close', () => responder.senderClosed())
  const commit = new GroupCommit({
    writer: { post: (message, transferred) => data.writer.postMessage(message, transferred) },
    held,
    planner: responder,
    failing: (reason) => emit({ event: 'failing', reason }),
  })
  data.writer.on('message', (reply: FromWriter) => commit.received(reply))
  data.writer.on('close', () => commit.writerEnded())
  return { responder, commit }
}

/** The search index pauses while this thread is busy. */
function reportUse(progress: Progress): void {
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    progress.busy = performance.eventLoopUtilization(now, before).utilization
    before = now
  }, 100).unref()
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by `createCapture` in the same program
if (parentPort) run(parentPort, workerData as CaptureThreadData)
