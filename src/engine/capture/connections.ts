import type { Socket } from 'node:net'
import type { Intake } from './intake.ts'

/** What is known of one open connection. */
export interface ConnectionState {
  /** The request whose body is coming, if any. */
  intake: Intake | null
  /** Requests whose answer is not out yet. */
  unanswered: number
  /** Milliseconds on the monotonic clock since which nothing is under way. */
  idleSince: number
  /** Bytes read when the last request was whole: more means that another one has begun. */
  readAtEnd: number
}

/**
 * All open connections. The service must always get through, so when there are too many the one that has been idle for
 * longest gives way to the new one.
 */
export class Connections {
  readonly #limit: number
  readonly #states = new Map<Socket, ConnectionState>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#states.size
  }

  /** False when it had to be refused. */
  add(socket: Socket): boolean {
    if (this.#states.size >= this.#limit && !this.#dropIdle()) {
      socket.destroy()
      return false
    }
    const state: ConnectionState = {
      intake: null,
      unanswered: 0,
      idleSince: performance.now(),
      readAtEnd: 0,
    }
    this.#states.set(socket, state)
    socket.once('close', () => {
      this.#states.delete(socket)
      state.intake?.cutOff('The sender closed the connection before the body was whole.', null)
    })
    return true
  }

  of(socket: Socket): ConnectionState | undefined {
    return this.#states.get(socket)
  }

  /** Closes those that have been idle for `ms`, or all idle ones with 0. */
  closeIdle(ms: number): void {
    const limit = performance.now() - ms
    for (const [socket, state] of this.#states) {
      if (isIdle(state) && state.idleSince <= limit) socket.destroy()
    }
  }

  /** Those with a request under way. */
  busy(): ConnectionState[] {
    return [...this.#states.values()].filter((state) => !isIdle(state))
  }

  destroyAll(): void {
    for (const socket of this.#states.keys()) socket.destroy()
  }

  #dropIdle(): boolean {
    for (const [socket, state] of this.#states) {
      if (!isIdle(state)) continue
      socket.destroy()
      this.#states.delete(socket)
      return true
    }
    return false
  }
}

function isIdle(state: ConnectionState): boolean {
  return state.unanswered === 0 && state.intake === null
}
