import { randomUUID } from 'node:crypto'
import type { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'

const keptPushes = 1000
/** So that kept pushes use a few megabytes even in a flood. An interface that misses more reloads. */
const keptRows = 2000

export type PushFrame = Extract<HostFrame, { kind: 'push' }>

type Listener = (frame: PushFrame) => void

/** Numbers every push and keeps the latest ones, so that an interface that lost its connection misses none. */
export class Bus {
  /** A `seq` of another run is meaningless. */
  readonly session = randomUUID()
  #seq = 0
  readonly #kept: PushFrame[] = []
  #keptRows = 0
  readonly #listeners = new Set<Listener>()

  get seq(): number {
    return this.#seq
  }

  push<N extends PushName>(name: N, payload: PushPayload<N>): void {
    this.#seq += 1
    const frame = { kind: 'push', seq: this.#seq, name, payload } as const
    this.#kept.push(frame)
    this.#keptRows += rowsIn(frame)
    while (this.#kept.length > keptPushes || this.#keptRows > keptRows) {
      const oldest = this.#kept.shift()
      if (oldest) this.#keptRows -= rowsIn(oldest)
    }
    for (const listener of this.#listeners) listener(frame)
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): () => void {
    return this.listen((frame) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `push` is the only source, and it pairs a name with its payload
      if (frame.name === name) listener(frame.payload as PushPayload<N>)
    })
  }

  /** Null if some of the pushes after `seq` are no longer kept. */
  since(session: string | null, seq: number): PushFrame[] | null {
    if (session !== this.session || seq > this.#seq) return null
    const missed = this.#seq - seq
    if (missed > this.#kept.length) return null
    return missed === 0 ? [] : this.#kept.slice(-missed)
  }
}

function rowsIn({ payload }: PushFrame): number {
  const isList = typeof payload === 'object' && payload !== null && 'rows' in payload
  return isList && Array.isArray(payload.rows) ? payload.rows.length : 0
}
