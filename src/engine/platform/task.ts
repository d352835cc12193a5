import { parentPort, Worker, workerData, type ResourceLimits } from 'node:worker_threads'
import { handledLater } from '#shared/async/handled-later.ts'
import type { Network, NetworkLink } from './http/network.ts'
import { connectApi, serveApi, type ThreadApi, type ThreadClient } from './rpc.ts'

/** A cancelled thread that does not end within this time is terminated: it may be stuck in native code. */
const terminateAfterMs = 2000

export interface TaskShape {
  input: object
  output: unknown
  /** What the thread reports: progress, results, questions. */
  reports: ThreadApi
  /** What the engine can call while it runs. */
  calls: ThreadApi
}

export type TaskEnd<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'cancelled' }
  /** An `AppError` that the thread threw, or anything that ended it, such as a lack of memory. */
  | { readonly kind: 'failed'; readonly error: Error }

export interface TaskOptions<Shape extends TaskShape> {
  readonly entry: URL
  readonly limits: ResourceLimits
  readonly input: Unlinked<Shape['input']>
  readonly reports: Shape['reports']
  /** Its link is added to the input as `network`. */
  readonly network?: Network
}

type Unlinked<Input> = Input extends { network: NetworkLink } ? Omit<Input, 'network'> : Input

type Own<Shape extends TaskShape> = { run(): Promise<Shape['output']>; cancel(): void }

interface TaskData<Shape extends TaskShape> {
  readonly input: Shape['input']
  /** Holds 1 once the task is cancelled. */
  readonly cancelled: SharedArrayBuffer
}

/** One piece of work in a thread of its own: its memory and connections end with it. It starts at once. */
export class Task<Shape extends TaskShape> {
  readonly api: ThreadClient<Shape['calls']>
  /** Resolves when the thread has ended. Never rejects. */
  readonly ended: Promise<TaskEnd<Shape['output']>>
  readonly #own: ThreadClient<Own<Shape>>
  readonly #worker: Worker
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(4))

  constructor({ entry, limits, input, reports, network }: TaskOptions<Shape>) {
    const link = network?.link()
    const data: TaskData<TaskShape> = {
      input: { ...input, network: link },
      cancelled: this.#cancelled.buffer,
    }
    this.#worker = new Worker(entry, {
      workerData: data,
      transferList: link ? [link.port] : [],
      resourceLimits: limits,
    })
    serveApi(this.#worker, reports)
    this.api = connectApi(this.#worker)
    this.#own = connectApi(this.#worker)
    this.ended = this.#run()
  }

  /** Resolves when the thread has ended, however. */
  cancel(): Promise<TaskEnd<Shape['output']>> {
    Atomics.store(this.#cancelled, 0, 1)
    handledLater(this.#own.call('cancel'))
    setTimeout(() => void this.#worker.terminate(), terminateAfterMs).unref()
    return this.ended
  }

  async #run(): Promise<TaskEnd<Shape['output']>> {
    try {
      return { kind: 'done', output: await this.#own.call('run') }
    } catch (error) {
      if (Atomics.load(this.#cancelled, 0) === 1) return { kind: 'cancelled' }
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    } finally {
      await this.#worker.terminate()
    }
  }
}

/** The thread's side of a task. */
export interface TaskContext<Shape extends TaskShape> {
  readonly input: Shape['input']
  readonly engine: ThreadClient<Shape['reports']>
  readonly signal: AbortSignal
  /** Never resolves. Rejects once the task is cancelled. */
  readonly cancelled: Promise<never>
  /** For work between which no message is received. Throws once the task is cancelled. */
  readonly throwIfCancelled: () => void
  /** Call it before the first `await`: what the engine calls earlier fails. */
  readonly serve: (calls: Shape['calls']) => void
}

/**
 * Call it once, in the entry of the thread. `run` rejects with an `AppError` for what users should know, with any other error if it is cancelled or broken,
 * and must have closed everything by then.
 */
export function serveTask<Shape extends TaskShape>(
  run: (context: TaskContext<Shape>) => Promise<Shape['output']>,
): void {
  // Its functions are also imported elsewhere.
  if (!parentPort) return
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `Task` in the same program
  const { input, cancelled } = workerData as TaskData<Shape>
  const flag = new Int32Array(cancelled)
  const abort = new AbortController()
  const aborted = Promise.withResolvers<never>()
  handledLater(aborted.promise)
  abort.signal.addEventListener('abort', () => aborted.reject(abort.signal.reason))
  const context: TaskContext<Shape> = {
    input,
    engine: connectApi(parentPort),
    signal: abort.signal,
    cancelled: aborted.promise,
    throwIfCancelled: () => {
      if (Atomics.load(flag, 0) === 1) throw new DOMException('', 'AbortError')
    },
    serve: (calls) => void Object.assign(api, calls),
  }
  const api: ThreadApi = {
    run: () => run(context),
    cancel: () => abort.abort(),
  }
  serveApi(parentPort, api)
}
