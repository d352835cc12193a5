import { sendStatus, canRespond, explanationOf } from './send-response.ts'
import { type ReceivedRequest, heldBytes, nowUs } from './received-request.ts'
import { inspect } from '../../payload/inspect.ts'
import type {
  FromWriter,
  GroupResponses,
  LateResponse,
  NewDelivery,
  ToWriter,
} from '../../deliveries/groups.ts'
import type { HeldMemory } from './request-reader.ts'
import { plannedResponse, type Plan } from './respond/rules.ts'

const probeEveryMs = 1000
/** Responses wait this long for a group that stores their times in its transaction. */
const responsesMs = 5
/**
 * A group of this many requests does not wait for more. Larger groups cost less each, but then all senders wait for one group, the writer for all of
 * them, and neither works while the other does.
 */
const enough = 16
const maxGroups = 3
/** Larger bodies are transferred to the writer, not copied. They have a buffer of their own, since a chunk from a socket is smaller. */
const copiedBytes = 64 * 1024

/** Decides on responses other than the default one. */
export interface Planner {
  /** `type` is null if the delivery has none. Returns null for the default status. */
  plan(request: ReceivedRequest, type: string | null): Plan | null
  /** Responds to the delivery, which is on disk under this ID, now or later. */
  execute(plan: Plan, request: ReceivedRequest, id: number): void
}

export interface GroupCommitOptions {
  readonly writer: { post(message: ToWriter, transferred: readonly ArrayBuffer[]): void }
  /** Includes requests that wait for the disk, so that a slow disk does not exhaust memory. */
  readonly held: HeldMemory
  readonly planner: Planner
  /** Null: deliveries can be stored again. */
  readonly failing: (reason: string | null) => void
}

interface Pending {
  readonly received: ReceivedRequest
  /** Null: the default status. */
  readonly plan: Plan | null
  readonly delivery: NewDelivery
}

/**
 * Passes requests to the writer as groups: one transaction with one sync for each. While one is written, the next is collected, and sent early once it
 * is as large or large enough, so that the writer need not wait for it. No response is sent before its delivery is durable.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #queue: Pending[] = []
  #groups: (readonly Pending[])[] = []
  #scheduled = false
  #queuedBefore = 0
  #failing: string | null = null
  #probing: NodeJS.Timeout | null = null
  #ended = false
  #responses: GroupResponses[] = []
  #late: LateResponse[] = []
  #responsesTimer: NodeJS.Timeout | null = null
  #probes: (() => void)[] = []

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  add(received: ReceivedRequest, fallbackBrand: string): void {
    const pending = pendingOf(received, this.#options.planner, fallbackBrand)
    this.#options.held.addWaiting(costOf(received))
    this.#queue.push(pending)
    if (this.#queue.length >= enough && this.#groups.length < maxGroups) this.#postQueue()
    else this.#schedule()
  }

  /** The time of a late response need not be durable, because the delivery is. */
  addLate(response: LateResponse): void {
    this.#late.push(response)
    this.#sendResponsesSoon()
  }

  /**
   * Resolves when everything received before is on disk, or was rejected, and the writer has stored the times of the responses. What arrives meanwhile
   * does not delay it.
   */
  async drained(): Promise<void> {
    if (this.#queue.length > 0) this.#postQueue()
    await this.#probed()
    this.#sendResponses()
    await this.#probed()
  }

  received(reply: FromWriter): void {
    if (reply.kind === 'probed') {
      this.#probes.shift()?.()
      this.#report(reply.failed)
      return
    }
    const pending = this.#groups.shift() ?? []
    for (const { received } of pending) this.#options.held.addWaiting(-costOf(received))
    // Before the responses, so that the writer does not wait for them.
    if (this.#queue.length > 0 && this.#groups.length === 0) this.#postQueue()
    this.#report(reply.failed)
    if (reply.failed === null) this.#respond(pending, reply.firstId)
    else for (const { received } of pending) reject(received)
  }

  /** The writer's thread has ended, so everything is rejected from now on. */
  writerEnded(): void {
    this.#ended = true
    const failed = 'The thread that stores deliveries has ended. Restart Tabscope.'
    while (this.#groups.length > 0) this.received({ kind: 'stored', firstId: 0, failed })
    for (const probed of this.#probes.splice(0)) probed()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#queuedBefore = 0
    setImmediate(this.#turn)
  }

  /**
   * Runs after all currently readable sockets were read. The group grows while each turn of the event loop brings more requests, because a transaction
   * and a sync cost nearly the same for any size. It ends with a turn without new requests, so that none waits without need.
   */
  readonly #turn = (): void => {
    const { length } = this.#queue
    const [written] = this.#groups
    if (written === undefined && length > this.#queuedBefore && length < enough) {
      this.#queuedBefore = length
      setImmediate(this.#turn)
      return
    }
    this.#scheduled = false
    // Otherwise, the reply to the group that is being written sends it.
    const isDue =
      this.#groups.length === 0 || (this.#groups.length === 1 && length >= (written?.length ?? 0))
    if (length > 0 && isDue) this.#postQueue()
  }

  #postQueue(): void {
    const pending = this.#queue
    this.#queue = []
    this.#groups.push(pending)
    if (this.#ended) this.writerEnded()
    else this.#post(pending)
  }

  #post(pending: readonly Pending[]): void {
    if (this.#responsesTimer) clearTimeout(this.#responsesTimer)
    this.#responsesTimer = null
    const { deliveries, bodies, transferred } = packed(pending)
    const group = { deliveries, bodies, responses: this.#responses, late: this.#late }
    this.#responses = []
    this.#late = []
    this.#options.writer.post({ kind: 'group', group }, transferred)
  }

  #sendResponsesSoon(): void {
    this.#responsesTimer ??= setTimeout(() => this.#sendResponses(), responsesMs)
  }

  #sendResponses(): void {
    if (this.#responses.length + this.#late.length > 0 && !this.#ended) this.#post([])
  }

  #respond(pending: readonly Pending[], firstId: number): void {
    const lost = pending.flatMap(({ received, plan }, index) =>
      plan?.status !== null && canRespond(received) ? [] : [firstId + index],
    )
    this.#responses.push({ from: firstId, to: firstId + pending.length - 1, atUs: nowUs(), lost })
    for (const [index, { received, plan }] of pending.entries()) {
      if (plan === null) sendStatus(received.channel, received.status, explanationOf(received))
      else this.#options.planner.execute(plan, received, firstId + index)
    }
    this.#sendResponsesSoon()
  }

  #report(reason: string | null): void {
    if (reason !== null) this.#probeLater()
    if (reason === this.#failing) return
    this.#failing = reason
    this.#options.failing(reason)
  }

  /** Probes the store: rejected senders may not retry for hours, and the warning should end before that. */
  #probeLater(): void {
    if (this.#probing) return
    this.#probing = setTimeout(() => {
      this.#probing = null
      if (this.#failing !== null) void this.#probed()
    }, probeEveryMs).unref()
  }

  async #probed(): Promise<void> {
    if (this.#ended) return
    await new Promise<void>((resolve) => {
      this.#probes.push(resolve)
      this.#options.writer.post({ kind: 'probe' }, [])
    })
  }
}

/** A request that was rejected to free memory no longer counts; otherwise the next one would be rejected, too. */
function costOf({ rawHeaders, status, bodyBytes }: ReceivedRequest): number {
  return status === 503 ? 0 : heldBytes(rawHeaders, bodyBytes)
}

/** Responds with 503, regardless of response rules, so that the sender retries. */
function reject({ channel, status }: ReceivedRequest): void {
  if (channel.kind !== 'none') channel.connection.dropping = false
  sendStatus(channel, status === null ? null : 503)
}

function pendingOf(received: ReceivedRequest, planner: Planner, fallbackBrand: string): Pending {
  const { endpoint } = received
  const { type, ...inspection } = inspect(received, endpoint, fallbackBrand)
  const plan = planner.plan(received, type)
  const delivery: NewDelivery = {
    receivedUs: received.receivedUs,
    method: received.method,
    path: received.path,
    httpVersion: received.httpVersion,
    remoteAddress: received.remoteAddress,
    endpointId: endpoint?.id ?? null,
    endpointName: endpoint?.name ?? null,
    brand: endpoint?.brand ?? fallbackBrand,
    arrival: received.arrival,
    reason: plan ? plan.reason : received.reason,
    bytes: received.bytes,
    status: plan ? plan.status : received.status,
    type,
    ...inspection,
    sentBy: received.own,
    respondedBy: plan?.answeredBy ?? null,
    via: received.via,
    headers: received.rawHeaders.join('\n'),
    trailers: received.rawTrailers.join('\n'),
    body: received.body,
  }
  return { received, plan, delivery }
}

/** Puts small bodies together, because a message copies the whole buffer of each. A body that a target needs is copied as well. */
function packed(pending: readonly Pending[]): {
  deliveries: NewDelivery[]
  bodies: Uint8Array
  transferred: ArrayBuffer[]
} {
  const isCopied = ({ received: { body }, plan }: Pending): boolean =>
    body.byteLength <= copiedBytes || plannedResponse(plan)?.action.kind === 'pass'
  const copied = pending.filter(isCopied)
  const bodies = new Uint8Array(
    copied.reduce((sum, { received }) => sum + received.body.byteLength, 0),
  )
  let at = 0
  const transferred = [bodies.buffer]
  const deliveries = pending.map((each): NewDelivery => {
    const { body } = each.received
    if (isCopied(each)) {
      bodies.set(body, at)
      at += body.byteLength
      return { ...each.delivery, body: body.byteLength }
    }
    if (body.buffer instanceof ArrayBuffer) transferred.push(body.buffer)
    return each.delivery
  })
  return { deliveries, bodies, transferred }
}
