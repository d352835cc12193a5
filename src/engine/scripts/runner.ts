import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { ScriptFailure, ScriptRun } from '#contract/scripts.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import {
  failedRun,
  maxScriptBodyBytes,
  type ScriptCall,
  type ScriptDelivery,
  type ScriptTask,
} from './messages.ts'

/** Native code of the interpreter cannot be interrupted, so after this time the thread is ended. */
const unresponsiveMs = 2000

interface Waiting {
  readonly task: ScriptTask
  resolve(run: ScriptRun): void
}

/** Runs scripts in a thread of their own, which starts with the first of them. If it has to be ended, states of scripts are lost. */
export class ScriptRunner {
  readonly #entry: URL
  #worker: Worker | null = null
  /** In order; the first one runs. */
  readonly #waiting: Waiting[] = []
  #isReady = false
  #watchdog: NodeJS.Timeout | undefined

  constructor(entry: URL) {
    this.#entry = entry
  }

  /** Never rejects: a failure of any kind is the result `failed`, also a body of more than 1 MiB, on which no script runs. */
  async run(call: ScriptCall): Promise<ScriptRun> {
    return call.delivery.body.byteLength > maxScriptBodyBytes
      ? failedRun('memory', 'The body is larger than 1 MiB, the limit for scripts.')
      : this.#do(taskOf(call))
  }

  /** Null: it can be run. */
  async check(source: string): Promise<ScriptFailure | null> {
    const { result } = await this.#do({ compile: source })
    return result.kind === 'failed' ? result.failure : null
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    clearTimeout(this.#watchdog)
    for (const waiting of this.#waiting.splice(0)) {
      waiting.resolve(failedRun('error', 'Tabscope was closed.'))
    }
    await worker?.terminate()
  }

  #do(task: ScriptTask): Promise<ScriptRun> {
    return new Promise((resolve) => {
      this.#waiting.push({ task, resolve })
      if (!this.#worker) return this.#start()
      this.#worker.postMessage(task)
      if (this.#isReady && this.#waiting.length === 1) this.#watch()
    })
  }

  #start(): void {
    const worker = new Worker(this.#entry, { resourceLimits: heapLimits.script })
    this.#worker = worker
    this.#isReady = false
    let ended = failedRun('error', 'The thread of the scripts ended.')
    worker.on('message', (message: 'ready' | ScriptRun) => {
      if (worker !== this.#worker) return
      if (message === 'ready') this.#isReady = true
      else this.#waiting.shift()?.resolve(message)
      this.#watch()
    })
    worker.on('error', (error) => {
      ended =
        'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? failedRun('memory', 'The thread of the scripts ran out of memory.')
          : failedRun('error', `The thread of the scripts ended: ${error.message}`)
    })
    worker.on('exit', () => this.#replace(worker, ended))
    for (const { task } of this.#waiting) worker.postMessage(task)
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    const [running] = this.#waiting
    const worker = this.#worker
    if (!running || !worker) return
    // If this thread was busy for as long, the answer may have arrived already.
    const isOver = (): void => {
      if (this.#waiting[0] !== running) return
      this.#replace(
        worker,
        failedRun('timeout', `The script did not respond for ${unresponsiveMs} ms.`),
      )
      void worker.terminate()
    }
    this.#watchdog = setTimeout(() => setImmediate(isOver), unresponsiveMs)
  }

  /** Only the call that ran fails; those behind it run in another thread. */
  #replace(worker: Worker, run: ScriptRun): void {
    if (worker !== this.#worker) return
    this.#worker = null
    clearTimeout(this.#watchdog)
    this.#waiting.shift()?.resolve(run)
    if (this.#waiting.length > 0) this.#start()
  }
}

function taskOf({ script, owner, state, delivery }: ScriptCall): ScriptTask {
  const { receivedAt } = delivery
  const digest = createHash('sha256')
    .update(`${delivery.id} ${owner ?? ''}`)
    .digest()
  const moment = { now: receivedAt, seed: digest.readInt32LE() }
  const shown = JSON.stringify(shownToScript(delivery))
  return { source: script.source, owner, state, moment, delivery: shown }
}

/** The body is read from the text in the sandbox. */
function shownToScript(delivery: ScriptDelivery): Record<string, unknown> {
  const { id, type, receivedAt, method, path, verdict, endpoint } = delivery
  const headers = new Map<string, string>()
  for (const [name, value] of delivery.headers) {
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  const text = new TextDecoder().decode(delivery.body)
  return {
    id,
    type,
    receivedAt,
    method,
    path,
    verdict,
    endpoint,
    headers: Object.fromEntries(headers),
    body: null,
    text,
  }
}
