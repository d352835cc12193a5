import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CaptureLimits } from './messages.ts'

/** A request whose body is being received. */
export interface BodyInProgress {
  readonly isComplete: boolean
  /** Bytes of body so far. */
  readonly bytes: number
  /** Milliseconds since its head was read. */
  readonly elapsedMs: number
  /** Records it as it is; `status`: what is returned, null: nothing. */
  cutOff(reason: string, status: number | null): void
}

/** What is known of one open connection. */
export interface ConnectionState {
  readonly socket: Socket
  /** The request whose body is coming, if any. */
  intake: BodyInProgress | null
  /** True while the rest of a body comes whose request was recorded before its end (too large). */
  draining: boolean
  /** Requests whose answer is not out yet, and with them what was no request but gets an answer. */
  unanswered: number
  /** Of the unanswered, those whose answer waits by our own will: for a delay, or for a target. */
  waiting: number
  /** It will be closed without an answer, by a response rule: what comes behind that gets none. */
  dropping: boolean
  /** The answer to the newest request; answers go out in order. */
  newest: ServerResponse | null
  /** No more requests are taken: the last answer says so, and closes the connection. */
  closing: boolean
  /** What is wrong with it is recorded: whatever comes after is of no use. */
  faulted: boolean
  /** Milliseconds on the monotonic clock since which nothing is under way. */
  idleSince: number
  /** Bytes read when the last request was whole: more means that another one has begun. */
  readAtEnd: number
}

/** For this long a new connection, or a body that has begun, has an advantage over older ones, in milliseconds. */
const freshMs = 1000

/**
 * All open connections. The service must always get through, so when there are too many one gives way to the new one: the one that has been
 * idle for longest, else the slowest body. Those that we let wait ourselves do not count.
 */
export class Connections {
  readonly #limit: number
  readonly #abandoned: (state: ConnectionState) => void
  readonly #states = new Map<Socket, ConnectionState>()

  /** `abandoned` is called for a connection that is closed by us while half a head had come. Half a body is cut off. */
  constructor(limit: number, abandoned: (state: ConnectionState) => void) {
    this.#limit = limit
    this.#abandoned = abandoned
  }

  get size(): number {
    return this.#states.size
  }

  /** False when it had to be refused. */
  add(socket: Socket): boolean {
    if (this.#states.size >= this.#limit && !this.#hasRoom() && !this.#makeRoom()) {
      socket.destroy()
      return false
    }
    const state: ConnectionState = {
      socket,
      intake: null,
      draining: false,
      unanswered: 0,
      waiting: 0,
      dropping: false,
      newest: null,
      closing: false,
      faulted: false,
      idleSince: performance.now(),
      readAtEnd: 0,
    }
    this.#states.set(socket, state)
    socket.once('close', () => {
      this.#states.delete(socket)
      state.intake?.cutOff('The sender closed the connection before the body was complete.', null)
    })
    return true
  }

  of(socket: Socket): ConnectionState | undefined {
    return this.#states.get(socket)
  }

  /** How many have an answer that waits by our own will. */
  get holding(): number {
    let holding = 0
    for (const { waiting } of this.#states.values()) if (waiting > 0) holding += 1
    return holding
  }

  /** From now on the last answer on each connection asks the sender to close it. */
  beginClosing(): void {
    for (const state of this.#states.values()) state.closing = true
  }

  /** Closes those that have been idle for `ms`. Half a head is no idleness: it has a time limit of its own. */
  closeIdle(ms: number): void {
    const limit = performance.now() - ms
    for (const state of this.#states.values()) {
      if (isAnswered(state) && state.idleSince <= limit && !hasBegun(state)) this.#drop(state)
    }
  }

  /** Those whose body comes more slowly than the limits allow. */
  tooSlow({ rateGraceMs, bytesPerSecond }: CaptureLimits): ConnectionState[] {
    return [...this.#states.values()].filter(({ intake }) => {
      if (intake === null || intake.isComplete) return false
      const counted = intake.elapsedMs - rateGraceMs
      return counted > 0 && intake.bytes * 1000 < counted * bytesPerSecond
    })
  }

  /**
   * Closes the connections with the longest heads and trailers that are not whole, until all of them together are within `limit` bytes. None
   * counts for more than `mostEach`: beyond that it is the framing of a body, of which nothing is held.
   */
  boundUnfinishedHeads(limit: number, mostEach: number): void {
    if (this.#states.size * mostEach <= limit) return
    let total = 0
    const pending: { state: ConnectionState; bytes: number }[] = []
    for (const state of this.#states.values()) {
      const bytes = Math.min(unfinishedHead(state), mostEach)
      if (bytes === 0) continue
      total += bytes
      pending.push({ state, bytes })
    }
    if (total <= limit) return
    for (const { state, bytes } of pending.toSorted((a, b) => b.bytes - a.bytes)) {
      if (total <= limit) break
      total -= bytes
      this.#drop(
        state,
        'Too much of unfinished heads and trailers was held, and this one was among the longest',
      )
    }
  }

  /** Closes all that wait for no answer and send no body. */
  closeAllIdle(): void {
    for (const state of this.#states.values()) if (isIdle(state)) this.#drop(state)
  }

  /** Those with a request under way. */
  busy(): ConnectionState[] {
    return [...this.#states.values()].filter((state) => !isIdle(state))
  }

  destroyAll(): void {
    for (const socket of this.#states.keys()) socket.destroy()
  }

  /** Whether there is room when those that wait by our own will do not count. */
  #hasRoom(): boolean {
    let counting = 0
    for (const { waiting } of this.#states.values()) if (waiting === 0) counting += 1
    return counting < this.#limit
  }

  /** False when every connection waits for an answer of ours. */
  #makeRoom(): boolean {
    const now = performance.now()
    let last: ConnectionState | null = null
    let lastRank: Rank | null = null
    for (const state of this.#states.values()) {
      const rank = rankOf(state, now)
      if (rank === null) continue
      if (
        lastRank === null ||
        rank[0] < lastRank[0] ||
        (rank[0] === lastRank[0] && rank[1] < lastRank[1])
      ) {
        last = state
        lastRank = rank
      }
    }
    if (last === null) return false
    this.#drop(last)
    return true
  }

  #drop(
    state: ConnectionState,
    why = 'Too many connections were open, and this one was the slowest',
  ): void {
    this.#states.delete(state.socket)
    if (state.intake) {
      const { bytes, elapsedMs } = state.intake
      const came = `${bytes} bytes of the body in ${Math.round(elapsedMs / 1000)} s`
      state.intake.cutOff(`${why}: ${came}.`, null)
    } else if (hasBegun(state) && !state.draining && !state.faulted) {
      this.#abandoned(state)
    }
    state.faulted = true
    state.socket.destroy()
  }
}

/** True when bytes of a request have come that is not whole. What came in one packet with the end of the one before is not seen. */
export function hasBegun({ socket, readAtEnd }: ConnectionState): boolean {
  return socket.bytesRead > readAtEnd
}

/** Bytes of a head or of trailers that have come and are not whole; 0 where a whole request waits for our answer. */
function unfinishedHead(state: ConnectionState): number {
  const { socket, readAtEnd, intake, unanswered, draining } = state
  if (draining || (unanswered > 0 && (intake === null || intake.isComplete))) return 0
  return Math.max(0, socket.bytesRead - readAtEnd - (intake?.bytes ?? 0))
}

/** True when no request is under way. The last answer may not have been read by the sender yet. */
function isAnswered({ unanswered, intake }: ConnectionState): boolean {
  return unanswered === 0 && intake === null
}

function isIdle(state: ConnectionState): boolean {
  // An answer that is given may still wait for those before it.
  return isAnswered(state) && (state.newest === null || state.newest.writableFinished)
}

/** In which order connections give way: a group, and the order within it. */
type Rank = readonly [group: number, order: number]

/** Null: it does not give way, since a whole request waits for our answer. */
function rankOf(state: ConnectionState, now: number): Rank | null {
  const { intake, socket, idleSince, unanswered } = state
  if (isAnswered(state)) {
    // A delivery may be on its way in a new connection: it would else be the first to go when all others send bodies.
    const isFresh = socket.bytesRead === 0 && now - idleSince < freshMs
    return [isFresh ? 2 : 0, idleSince]
  }
  if (intake === null || intake.isComplete || unanswered > 1) return null
  const { elapsedMs, bytes } = intake
  return elapsedMs < freshMs ? [2, now - elapsedMs] : [1, bytes / elapsedMs]
}
