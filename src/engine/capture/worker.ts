import { parentPort, workerData } from 'node:worker_threads'
import { OwnPorts, type PassResponse } from '../sending/messages.ts'
import { serveApi } from '../platform/rpc.ts'
import { TunnelListener } from './tunnel-listener.ts'
import type { ReceivedRequest } from './received-request.ts'
import { GroupCommit } from './group-commit.ts'
import {
  inspectedEndpoint,
  type InspectedEndpoint,
  type CaptureApi,
  type CaptureConfig,
  type CaptureEvent,
  type CaptureThreadData,
} from './messages.ts'
import { JournalWriter } from './journal-writer.ts'
import { HeldMemory } from './request-reader.ts'
import { Listener } from './listener.ts'
import { Progress } from './progress.ts'
import { Responder } from './respond/responder.ts'
import { SelfProbes } from './self-probes.ts'

/** The capture thread: the listener and the journal, and nothing else. No query, search or export may delay an answer. */
function run(port: NonNullable<typeof parentPort>, data: CaptureThreadData): void {
  const progress = new Progress(data.shared)
  const journal = new JournalWriter(data.journalDir, data.journalEnd)
  let config = data.config
  let routes = compile(config)
  let listener: Listener | null = null
  const ownPorts = new OwnPorts(data.ownPorts)
  const selfProbes = new SelfProbes(data.probeKey)
  const tell = (event: CaptureEvent): void => port.postMessage(event)

  const responder: Responder = new Responder({
    sender: { post: (question, owned) => data.sender.postMessage(question, [owned]) },
    answered: (answered) => commit.late(answered),
    used: (uses) => tell({ event: 'used', uses }),
    storedUses: data.uses,
  })
  const hasten = (): void => responder.hasten()
  responder.configure(config.routes)
  data.sender.on('message', (answer: PassResponse) => responder.passing.take(answer))
  data.sender.on('close', () => responder.passing.gone())

  const held = new HeldMemory()
  const commit = new GroupCommit({
    journal,
    firstId: data.firstId,
    held,
    planner: responder,
    published: (position, lastId) => progress.publish(position, lastId),
    failing: (reason) => tell({ event: 'failing', reason }),
  })

  const intake = {
    limits: () => config.limits,
    held,
    endpointOf: (path: string) => routes.get(pathname(path)) ?? null,
    arrived: (arrived: ReceivedRequest) => {
      if (!selfProbes.take(arrived, config.limits.bodyBytes)) {
        commit.add(arrived, config.fallbackBrand)
      }
    },
  }
  const makeListener = (): Listener =>
    new Listener({ ...intake, via: null, ownOf: (remotePort) => ownPorts.of(remotePort) })
  const door = new TunnelListener(intake, hasten, Date.now)

  // The writer thread stands back while this thread has its hands full.
  let last = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    progress.busy = performance.eventLoopUtilization(now, last).utilization
    last = now
  }, 100).unref()

  const api: CaptureApi = {
    listen: async (wanted) => {
      const next = makeListener()
      const got = await next.open(wanted)
      const old = listener
      listener = next
      if (old) void old.close(200, 2000)
      hasten()
      return got
    },
    openDoor: () => door.open(),
    closeDoor: () => door.close(),
    lastThroughDoor: () => door.last,
    doorHolding: () => door.holding,
    configure: (next) => {
      config = next
      routes = compile(next)
      responder.configure(next.routes)
    },
    stop: async ({ graceMs, deadlineMs }) => {
      const doorClosed = door.close({ graceMs, deadlineMs })
      const closed = listener?.close(graceMs, deadlineMs)
      hasten()
      await closed
      await doorClosed
      await commit.drained()
      listener = null
      journal.close()
    },
  }
  serveApi(port, api)
}

function compile(config: CaptureConfig): Map<string, InspectedEndpoint> {
  return new Map(config.routes.map((route) => [route.path, inspectedEndpoint(route)]))
}

/** The path of a request target, without its query; of an absolute-form target, its path (RFC 9112, 3.2.2). */
function pathname(target: string): string {
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `createCapture` gave, in the same program
if (parentPort) run(parentPort, workerData as CaptureThreadData)
