import { parentPort, workerData } from 'node:worker_threads'
import {
  OwnPorts,
  type AskRequest,
  type AskResponse,
  type PassRequest,
  type PassResponse,
  type CaptureApi,
  type CaptureEvent,
  type CaptureThreadData,
} from './messages.ts'
import { collectGarbage } from '../../platform/release-memory.ts'
import { serveApi } from '../../platform/rpc.ts'
import type { ReceivedRequest } from './received-request.ts'
import { GroupCommit } from './group-commit.ts'
import type { FromWriter } from '../../deliveries/groups.ts'
import { EndpointPaths } from './paths.ts'
import { HeldMemory } from './request-reader.ts'
import { Listener, type ListenerOptions } from './listener.ts'
import { Progress } from '../../platform/progress.ts'
import { Responder } from './respond/responder.ts'
import {
  replyText,
  probeHeader,
  probePath,
  readProbe,
  sha256Of,
  type ProbeReply,
  type SignedProbe,
  UsedNonces,
} from '../tunnel/probe/format.ts'
import { sendPrepared } from './send-response.ts'

const closing = { graceMs: 200, deadlineMs: 2000 }

interface Opened {
  readonly listener: Listener
  readonly port: number
}

/**
 * On a port that the system assigns. Tunnel clients keep connections that may be idle for hours. These are not closed, because a request may be in
 * transit on any of them.
 */
class TunnelListener {
  readonly #options: Omit<ListenerOptions, 'via' | 'ownOf'>
  readonly #expedite: () => void
  readonly #now: () => number
  #opened: Promise<Opened> | null = null
  #closed: Promise<unknown> = Promise.resolve()
  #lastRequestAt = 0
  #listener: Listener | null = null

  /** `expedite` is called on close, to send delayed responses immediately. `now`: milliseconds since the epoch. */
  constructor(
    options: Omit<ListenerOptions, 'via' | 'ownOf'>,
    expedite: () => void,
    now: () => number,
  ) {
    this.#options = options
    this.#expedite = expedite
    this.#now = now
  }

  /** Includes self-probes; 0: never. Incomplete requests do not count, as they do not prove that the tunnel works. */
  get lastRequestAt(): number {
    return this.#lastRequestAt
  }

  get waiting(): number {
    return this.#listener?.waiting ?? 0
  }

  /** Resolves to the port. Rejects with the system's error. */
  async open(): Promise<number> {
    const opened = (this.#opened ??= this.#listen())
    try {
      return (await opened).port
    } catch (error) {
      if (this.#opened === opened) this.#opened = null
      throw error
    }
  }

  /** Resolves when requests in flight have their response, or at the deadline. */
  async close({ graceMs, deadlineMs } = closing): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    this.#listener = null
    if (opened) {
      const closeListener = async (): Promise<void> => {
        const { listener } = await opened
        const closed = listener.close(graceMs, deadlineMs)
        this.#expedite()
        await closed
      }
      this.#closed = Promise.all([this.#closed, closeListener().catch(() => undefined)])
    }
    await this.#closed
  }

  async #listen(): Promise<Opened> {
    const options = this.#options
    const listener = new Listener({
      ...options,
      via: 'tunnel',
      // Own ports are those of connections to the main listener. A tunnel client may use the same port number here.
      ownOf: () => null,
      received: (request) => {
        if (request.arrival !== 'cut_off') this.#lastRequestAt = this.#now()
        options.received(request)
      },
    })
    const port = await listener.open(0)
    this.#listener = listener
    return { listener, port }
  }
}

/** The response must not be cached or transformed (RFC 9111, section 5.2.2). */
const rawHeaders = ['Content-Type', 'application/json', 'Cache-Control', 'no-store, no-transform']
const headerName = probeHeader.toLowerCase()

/** Responds to our own probes of the tunnel. Shared by all listeners, so that each nonce is used only once. */
class SelfProbes {
  readonly #key: Uint8Array
  readonly #used = new UsedNonces()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Responds to the request and returns true if it is one of our probes. A probe that is received a second time is a delivery. */
  take(received: ReceivedRequest, bodyLimit: number): boolean {
    if (received.path !== probePath) return false
    const signed = this.#signed(received.rawHeaders)
    if (signed === null || !this.#used.use(signed.nonce)) return false
    const { status, channel } = received
    if (channel.kind !== 'response' || status === null) return true
    const outcome = outcomeOf(received)
    const text = replyText(this.#key, {
      nonce: signed.nonce,
      bytes: received.bytes,
      sha256: outcome === 'whole' ? sha256Of(received.body) : '',
      outcome,
      limit: bodyLimit,
    })
    const ready = { rawHeaders, body: Buffer.from(text) }
    sendPrepared(channel, { status: outcome === 'whole' ? 200 : status, ...ready })
    return true
  }

  #signed(rawHeaders: readonly string[]): SignedProbe | null {
    let value: string | null = null
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() !== headerName) continue
      if (value !== null) return null
      value = rawHeaders[at + 1] ?? ''
    }
    return value === null ? null : readProbe(this.#key, value)
  }
}

function outcomeOf({ arrival, status }: ReceivedRequest): ProbeReply['outcome'] {
  if (arrival === 'complete') return 'whole'
  if (arrival !== 'too_large') return 'broken'
  return status === 413 ? 'too_large' : 'busy'
}

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
): { responder: Responder; commit: GroupCommit } {
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
