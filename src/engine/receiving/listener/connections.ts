import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CaptureLimits } from './messages.ts'

export interface BodyInProgress {
  readonly isComplete: boolean
  readonly bytes: number
  readonly elapsedMs: number
  /** Records the request as it is. `status`: of the response; null: none. */
  cutOff(reason: string, status: number | null): void
}

export interface ConnectionState {
  readonly socket: Socket
  reader: BodyInProgress | null
  /** The rest of a body that is too large is being received; its request is already recorded. */
  draining: boolean
  /** Requests without a response, including invalid ones that get an error response. */
  unanswered: number
  /** Unanswered requests whose response is delayed by a rule or comes from a forward target. */
  waiting: number
  /** A response rule drops this connection, so later requests on it get no response either. */
  dropping: boolean
  /** Responses are sent in the order of the requests. */
  newest: ServerResponse | null
  /** No more requests are accepted: the last response has `Connection: close`. */
  closing: boolean
  /** An error is recorded; everything received after it is ignored. */
  faulted: boolean
  /** In milliseconds on the monotonic clock, while no request is in progress. */
  idleSince: number
  /** `bytesRead` when the last request was complete. If it is larger now, another request has begun. */
  readAtEnd: number
}

/** A new connection or a new body is not evicted for this long. */
const freshMs = 1000

/**
 * New connections must always be accepted, so at the limit one is closed: the one that has been idle for longest, or else the one with the slowest
 * body. Connections with a delayed or forwarded response do not count.
 */
export class Connections {
  readonly #limit: number
  readonly #abandoned: (state: ConnectionState) => void
  readonly #states = new Map<Socket, ConnectionState>()

  /** `abandoned` is called for a connection that we close while its head is incomplete. Incomplete bodies are recorded with `cutOff`. */
  constructor(limit: number, abandoned: (state: ConnectionState) => void) {
    this.#limit = limit
    this.#abandoned = abandoned
  }

  get size(): number {
    return this.#states.size
  }

  /** Returns false if the connection was rejected. */
  add(socket: Socket): boolean {
    if (this.#states.size >= this.#limit && !this.#hasRoom() && !this.#makeRoom()) {
      socket.destroy()
      return false
    }
    const state: ConnectionState = {
      socket,
      reader: null,
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
      state.reader?.cutOff('The sender closed the connection before the body was complete.', null)
    })
    return true
  }

  of(socket: Socket): ConnectionState | undefined {
    return this.#states.get(socket)
  }

  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#states.values()) if (waiting > 0) count += 1
    return count
  }

  beginClosing(): void {
    for (const state of this.#states.values()) state.closing = true
  }

  /** An incomplete head is not idle: it has its own timeout. */
  closeIdle(ms: number): void {
    const limit = performance.now() - ms
    for (const state of this.#states.values()) {
      if (isAnswered(state) && state.idleSince <= limit && !hasBegun(state)) this.#drop(state)
    }
  }

  tooSlow({ rateGraceMs, bytesPerSecond }: CaptureLimits): ConnectionState[] {
    return [...this.#states.values()].filter(({ reader }) => {
      if (reader === null || reader.isComplete) return false
      const counted = reader.elapsedMs - rateGraceMs
      return counted > 0 && reader.bytes * 1000 < counted * bytesPerSecond
    })
  }

  /**
   * Limits the memory for incomplete heads and trailers to `limit` bytes in total by closing the connections with the longest ones. Each counts for at
   * most `maxEach` bytes: anything beyond is framing of a body, which is not stored.
   */
  boundUnfinishedHeads(limit: number, maxEach: number): void {
    if (this.#states.size * maxEach <= limit) return
    let total = 0
    const pending: { state: ConnectionState; bytes: number }[] = []
    for (const state of this.#states.values()) {
      const bytes = Math.min(unfinishedHead(state), maxEach)
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
        'Incomplete request heads and trailers took too much memory, and this one was among the longest',
      )
    }
  }

  closeAllIdle(): void {
    for (const state of this.#states.values()) if (isIdle(state)) this.#drop(state)
  }

  busy(): ConnectionState[] {
    return [...this.#states.values()].filter((state) => !isIdle(state))
  }

  destroyAll(): void {
    for (const socket of this.#states.keys()) socket.destroy()
  }

  #hasRoom(): boolean {
    let count = 0
    for (const { waiting } of this.#states.values()) if (waiting === 0) count += 1
    return count < this.#limit
  }

  /** Closes the connection that is least in use. Returns false if every connection waits for a response. */
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
    reason = 'Too many connections were open, and this one was the slowest',
  ): void {
    this.#states.delete(state.socket)
    if (state.reader) {
      const { bytes, elapsedMs } = state.reader
      const received = `${bytes} bytes of the body in ${Math.round(elapsedMs / 1000)} s`
      state.reader.cutOff(`${reason}: ${received}.`, null)
    } else if (hasBegun(state) && !state.draining && !state.faulted) {
      this.#abandoned(state)
    }
    state.faulted = true
    state.socket.destroy()
  }
}

/** Whether bytes of an incomplete request were received. Misses those in the same packet as the end of the previous request. */
export function hasBegun({ socket, readAtEnd }: ConnectionState): boolean {
  return socket.bytesRead > readAtEnd
}

/** Bytes of an incomplete head or trailer; 0 if a complete request is waiting for its response. */
function unfinishedHead(state: ConnectionState): number {
  const { socket, readAtEnd, reader, unanswered, draining } = state
  if (draining || (unanswered > 0 && (reader === null || reader.isComplete))) return 0
  return Math.max(0, socket.bytesRead - readAtEnd - (reader?.bytes ?? 0))
}

/** No request is in progress. The last response may not be sent completely yet. */
function isAnswered({ unanswered, reader }: ConnectionState): boolean {
  return unanswered === 0 && reader === null
}

function isIdle(state: ConnectionState): boolean {
  // A finished response may still wait for earlier ones.
  return isAnswered(state) && (state.newest === null || state.newest.writableFinished)
}

type Rank = readonly [group: number, order: number]

/** Null if the connection must stay open because a complete request waits for its response. */
function rankOf(state: ConnectionState, now: number): Rank | null {
  const { reader, socket, idleSince, unanswered } = state
  if (isAnswered(state)) {
    // A delivery may be in transit on a new connection, which would otherwise be closed first when all others send bodies.
    const isFresh = socket.bytesRead === 0 && now - idleSince < freshMs
    return [isFresh ? 2 : 0, idleSince]
  }
  if (reader === null || reader.isComplete || unanswered > 1) return null
  const { elapsedMs, bytes } = reader
  return elapsedMs < freshMs ? [2, now - elapsedMs] : [1, bytes / elapsedMs]
}
