import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { WrittenDeliveries } from '../items.ts'
import type { WrittenCounts } from '../ndjson/delivery-lines.ts'
import {
  type BeginLines,
  fromFailure,
  type FromLines,
  type LinesTask,
  type ToLines,
} from './messages.ts'

/** Maximum number of additional threads of an export. */
const maxThreads = 3
/** Smaller exports gain nothing from another thread, which has to start and to compile its code, in deliveries. */
const minDeliveries = 10_000
/** Number of batches that are assigned to a thread at the same time, so that it seldom waits. */
const assignedBatches = 4
/** Maximum number of deliveries in a batch, and its intended size in bytes. */
const maxBatch = 64
const batchBytes = 192 * 1024
/** How much each thread writes in advance while it waits for another one, in bytes. */
export const maxAheadBytes = 4 * 1024 * 1024
/** How long to wait for another thread before messages and a cancellation are handled, in milliseconds. */
const waitMs = 8

/** Returns how many threads help with an export of this many deliveries: none on a computer with one processor. */
export function threadsFor(deliveries: number): number {
  return deliveries < minDeliveries ? 0 : Math.min(maxThreads, availableParallelism() - 1)
}

/** A range of deliveries as lines, as far as they are written. */
interface Batch {
  readonly pieces: Uint8Array[]
  counts: WrittenCounts | null
  /** Called for each piece that is passed on, with its size in bytes. */
  readonly passedOn: (bytes: number) => void
}

/** Writes the deliveries with these ids as lines. */
type WriteLines = (ids: readonly number[]) => Generator<Uint8Array, WrittenCounts, undefined>

/**
 * Threads that read, redact and write a part of the deliveries of an export. The export thread does the rest, and puts everything in order. So the output
 * is the same as that of one thread.
 */
export class LineThreads {
  readonly #count: number
  readonly #script: URL
  readonly #task: Omit<LinesTask, 'sent' | 'endpoints'>
  /** Number of messages that the threads have sent. */
  readonly #sent = new SharedArrayBuffer(4)
  #threads: readonly LineThread[] = []
  /** Not yielded yet, in order. */
  readonly #batches: Batch[] = []
  /** What this thread is writing, and how many bytes it has written in advance. */
  #own: { readonly batch: Batch; readonly writing: ReturnType<WriteLines> } | null = null
  #ownAhead = 0
  #batchSize = 16
  /** Number of values of each kind that the threads have redacted. */
  readonly removed: Record<string, number> = {}

  /** Starts no thread yet. `script`: of the export thread. */
  constructor(count: number, script: URL, task: Omit<LinesTask, 'sent' | 'endpoints'>) {
    this.#count = count
    this.#script = script
    this.#task = task
  }

  /** Starts the threads, and yields the deliveries in the order of `steps`, which are ids. `write` is called in this thread. Yields empty pieces while it waits. */
  *deliveries(
    endpoints: LinesTask['endpoints'],
    steps: Iterable<readonly number[]>,
    write: WriteLines,
  ): Generator<WrittenDeliveries, void, undefined> {
    const task = { ...this.#task, endpoints, sent: this.#sent }
    this.#threads = Array.from({ length: this.#count }, () => new LineThread(this.#script, task))
    const take = takerOf(steps)
    for (;;) {
      const seen = Atomics.load(new Int32Array(this.#sent), 0)
      for (const thread of this.#threads) this.#serve(thread, take)
      yield* this.#finished()
      if (this.#step(take, write)) continue
      if (this.#batches.length === 0) return
      Atomics.wait(new Int32Array(this.#sent), 0, seen, waitMs)
      yield noDeliveries
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** Receives what the thread has written, and assigns more to it. */
  #serve(thread: LineThread, take: (count: number) => number[]): void {
    thread.receive((counts) => {
      for (const [kind, count] of Object.entries(counts.removed)) {
        this.removed[kind] = (this.removed[kind] ?? 0) + count
      }
    })
    while (thread.assigned < assignedBatches) {
      const ids = take(this.#batchSize)
      if (ids.length === 0) return
      this.#batches.push(thread.write(ids))
    }
  }

  /** Yields what is written at the start. */
  *#finished(): Generator<WrittenDeliveries, void, undefined> {
    for (;;) {
      const [batch] = this.#batches
      if (!batch) return
      for (let bytes = batch.pieces.shift(); bytes; bytes = batch.pieces.shift()) {
        batch.passedOn(bytes.byteLength)
        yield { ...noDeliveries, bytes }
      }
      if (!batch.counts) return
      this.#batches.shift()
      const { lines, deliveries } = batch.counts
      yield { ...noDeliveries, lines, deliveries }
    }
  }

  /** Writes a piece in this thread. Returns false if there is nothing to write, or too much is written in advance. */
  #step(take: (count: number) => number[], write: WriteLines): boolean {
    if (this.#ownAhead >= maxAheadBytes) return false
    if (!this.#own) {
      const ids = take(this.#batchSize)
      if (ids.length === 0) return false
      const batch = newBatch((bytes) => (this.#ownAhead -= bytes))
      this.#batches.push(batch)
      this.#own = { batch, writing: write(ids) }
    }
    const { batch, writing } = this.#own
    const next = writing.next()
    if (next.done !== true) {
      batch.pieces.push(next.value)
      this.#ownAhead += next.value.byteLength
      return true
    }
    batch.counts = next.value
    this.#own = null
    const { bytes, deliveries } = next.value
    this.#batchSize = Math.ceil(Math.min(maxBatch, (batchBytes * deliveries) / (bytes + 1))) || 1
    return true
  }
}

function newBatch(passedOn: Batch['passedOn']): Batch {
  return { pieces: [], counts: null, passedOn }
}

const noDeliveries: WrittenDeliveries = {
  kind: 'written',
  bytes: new Uint8Array(),
  lines: 0,
  deliveries: 0,
}

class LineThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  /** Not written completely, in order. */
  readonly #batches: Batch[] = []
  #failure: Error | null = null

  constructor(script: URL, task: LinesTask) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(script, { resourceLimits: heapLimits.exporter })
    this.#worker.on('error', (error) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error))
    })
    this.#worker.on('exit', () => {
      this.#failure ??= new Error('A thread of the export exited unexpectedly.')
    })
    this.#worker.postMessage({ kind: 'begin_lines', task, port: port2 } satisfies BeginLines, [
      port2,
    ])
  }

  /** Number of batches that are not written completely. */
  get assigned(): number {
    return this.#batches.length
  }

  write(ids: readonly number[]): Batch {
    const send = (message: ToLines): void => this.#port.postMessage(message)
    const batch = newBatch((bytes) => send({ kind: 'consumed', bytes }))
    this.#batches.push(batch)
    send({ kind: 'write', ids })
    return batch
  }

  /** Receives what the thread has written so far. Throws if it has failed. */
  receive(written: (counts: Extract<FromLines, { kind: 'written' }>) => void): void {
    for (;;) {
      const received: { message: FromLines } | undefined = receiveMessageOnPort(this.#port)
      if (received === undefined) break
      const { message } = received
      const [batch] = this.#batches
      if (message.kind === 'failed') throw fromFailure(message)
      if (message.kind === 'piece') batch?.pieces.push(message.bytes)
      else {
        this.#batches.shift()
        if (batch) batch.counts = message.counts
        written(message)
      }
    }
    if (this.#failure) throw this.#failure
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Returns a function that takes the next ids, at most as many as requested. */
function takerOf(steps: Iterable<readonly number[]>): (count: number) => number[] {
  const iterator = steps[Symbol.iterator]()
  let step: readonly number[] = []
  let at = 0
  return (count) => {
    const taken: number[] = []
    while (taken.length < count) {
      if (at === step.length) {
        const next = iterator.next()
        if (next.done === true) break
        step = next.value
        at = 0
      }
      const some = step.slice(at, at + count - taken.length)
      for (const id of some) taken.push(id)
      at += some.length
    }
    return taken
  }
}
