import { createHash } from 'node:crypto'
import type { ScriptFailure, ScriptRun } from '#contract/scripts.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { messageOf } from '#shared/text/errors.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import { Thread } from '../../platform/thread.ts'
import {
  failedRun,
  maxScriptBodyBytes,
  type ScriptApi,
  type ScriptCall,
  type ScriptDelivery,
  type ScriptTask,
} from './messages.ts'

/** Native code of the interpreter cannot be interrupted, so after this time the thread is ended. */
const unresponsiveMs = 2000
const unresponsive = failedRun('timeout', `The script did not respond for ${unresponsiveMs} ms.`)

/** Runs scripts, one at a time, in a thread that starts with the first of them. If it has to be ended, states of scripts are lost. */
export class ScriptRunner {
  readonly #entry: URL
  readonly #turn = createMutex()
  #thread: Thread<ScriptApi> | null = null
  #isClosed = false

  constructor(entry: URL) {
    this.#entry = entry
  }

  /** Never rejects: a failure of any kind is the result `failed`, also a body of more than 1 MiB, on which no script runs. */
  async run(call: ScriptCall): Promise<ScriptRun> {
    return call.delivery.body.byteLength > maxScriptBodyBytes
      ? failedRun('memory', 'The body is larger than 1 MiB, the limit for scripts.')
      : this.#turn(() => this.#do(taskOf(call)))
  }

  /** Null: it can be run. */
  async check(source: string): Promise<ScriptFailure | null> {
    const { result } = await this.#turn(() => this.#do({ compile: source }))
    return result.kind === 'failed' ? result.failure : null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.close()
  }

  async #do(task: ScriptTask): Promise<ScriptRun> {
    if (this.#isClosed) return failedRun('error', 'Tabscope was closed.')
    const { api } = (this.#thread ??= this.#newThread())
    try {
      await api.call('open')
      const ran = await inTime(api.call('run', task))
      if (ran === unresponsive) this.#endThread()
      return ran
    } catch (error) {
      this.#endThread()
      const isMemory =
        error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      return isMemory
        ? failedRun('memory', 'The thread of the scripts ran out of memory.')
        : failedRun('error', `The thread of the scripts ended: ${messageOf(error)}`)
    }
  }

  #newThread(): Thread<ScriptApi> {
    return new Thread<ScriptApi>({
      entry: this.#entry,
      limits: heapLimits.script,
      data: () => ({}),
      // The call that runs fails with it.
      died: () => undefined,
    })
  }

  /** The next script starts another one. */
  #endThread(): void {
    void this.#thread?.close()
    this.#thread = null
  }
}

async function inTime(run: Promise<ScriptRun>): Promise<ScriptRun> {
  const late = Promise.withResolvers<ScriptRun>()
  // If this thread was busy for as long, the result may have arrived already.
  const expire = (): void => void setImmediate(() => late.resolve(unresponsive))
  const timer = setTimeout(expire, unresponsiveMs)
  return Promise.race([run, late.promise]).finally(() => clearTimeout(timer))
}

function taskOf({ script, owner, state, delivery }: ScriptCall): ScriptTask {
  const { receivedAt } = delivery
  const digest = createHash('sha256')
    .update(`${delivery.id} ${owner ?? ''}`)
    .digest()
  const moment = { now: receivedAt, seed: digest.readInt32LE() }
  const body = Buffer.from(delivery.body).toString('latin1')
  const shown = JSON.stringify(shownToScript(delivery))
  return { source: script.source, owner, state, moment, delivery: shown, body }
}

function shownToScript(delivery: ScriptDelivery): Record<string, unknown> {
  const { id, type, receivedAt, method, path, verdict, endpoint } = delivery
  const headers = new Map<string, string>()
  for (const [name, value] of delivery.headers) {
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
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
    text: new TextDecoder().decode(delivery.body),
  }
}
