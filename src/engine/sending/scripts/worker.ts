import { parentPort } from 'node:worker_threads'
import type { ScriptFailure, ScriptResult, ScriptRun } from '#contract/scripts.ts'
import { serveApi } from '../../platform/rpc.ts'
import {
  failedBy,
  failedRun,
  ScriptError,
  type RunTask,
  type ScriptApi,
  type ScriptTask,
} from './messages.ts'
import { readResult } from './result.ts'
import { lossesIn, parseLatin1 } from './written-body.ts'
import { type Interpreter, LoadedScript, openInterpreter } from './sandbox.ts'

const maxLoaded = 32
const maxStateLength = 16 * 1024

class Scripts {
  #interpreter: Interpreter
  /** By owner. */
  readonly #loaded = new Map<string, LoadedScript>()
  /** By owner, of the source that it had. */
  readonly #states = new Map<string, { source: string; json: string }>()

  private constructor(interpreter: Interpreter) {
    this.#interpreter = interpreter
  }

  static async open(): Promise<Scripts> {
    return new Scripts(await openInterpreter())
  }

  async do(task: ScriptTask): Promise<ScriptRun> {
    let ran: ScriptRun
    let isBroken = false
    try {
      ran = this.#run(task)
    } catch (error) {
      isBroken = !(error instanceof ScriptError)
      ran = failedWith(error)
    }
    if (isBroken || failureOf(ran) === 'memory') {
      this.#loaded.clear()
      this.#interpreter = await openInterpreter()
    }
    return ran
  }

  #run(task: ScriptTask): ScriptRun {
    if ('compile' in task) {
      using _script = LoadedScript.open(this.#interpreter, task.compile, { now: 0, seed: 0 })
      return { result: { kind: 'none' }, notes: [], log: [], state: '{}', durationMs: 0 }
    }
    const { owner, source } = task
    if (owner === null) {
      using once = LoadedScript.open(this.#interpreter, source, task.moment)
      return callScript(once, task, task.state)
    }
    const script = this.#load(task, owner)
    const before = this.#states.get(owner)
    const ran = callScript(script, task, before?.source === source ? before.json : '{}')
    this.#states.set(owner, { source, json: ran.state })
    if (failureOf(ran) === 'timeout' || !script.isClean) this.#unload(owner)
    return ran
  }

  #load({ source, moment }: RunTask, owner: string): LoadedScript {
    const loaded = this.#loaded.get(owner)
    if (loaded?.source === source) return loaded
    this.#unload(owner)
    if (this.#loaded.size >= maxLoaded) {
      for (const other of this.#loaded.keys()) this.#unload(other)
    }
    const opened = LoadedScript.open(this.#interpreter, source, moment)
    this.#loaded.set(owner, opened)
    return opened
  }

  #unload(owner: string): void {
    this.#loaded.get(owner)?.[Symbol.dispose]()
    this.#loaded.delete(owner)
  }
}

function callScript(script: LoadedScript, call: RunTask, state: string): ScriptRun {
  const startedAt = performance.now()
  const ended = (result: ScriptResult, after: string, notes: string[] = []): ScriptRun => ({
    result,
    notes,
    log: script.log,
    state: after,
    durationMs: performance.now() - startedAt,
  })
  try {
    const returned = script.call({ delivery: call.delivery, state }, call.moment)
    const result = readResult(returned.result, call.body)
    return ended(result, stateText(returned.state), notesOn(result, call.body, returned.leftBody))
  } catch (error) {
    if (error instanceof ScriptError) {
      return ended({ kind: 'failed', failure: error.failure }, state)
    }
    throw error
  }
}

function notesOn(result: ScriptResult, original: string, left: unknown[] | null): string[] {
  const body = result.kind === 'request' || result.kind === 'response' ? result.body : null
  if (body !== null) {
    const losses = lossesIn(original, Buffer.from(body).toString('latin1'))
    return losses.length === 0 ? [] : [`The body was written again: ${losses.join(', ')}.`]
  }
  const isLeft = JSON.stringify(left) === JSON.stringify([parseLatin1(original)])
  if (left === null || isLeft || result.kind === 'skip') return []
  return ['The script changed delivery.body, but only what it returns counts: return { body }.']
}

function stateText(state: unknown): string {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) {
    throw new ScriptError('result', 'The state must stay an object that can be written as JSON.')
  }
  const text = JSON.stringify(state)
  if (text.length <= maxStateLength) return text
  throw new ScriptError('result', 'The state is larger than 16 KiB.')
}

function failedWith(error: unknown): ScriptRun {
  if (error instanceof ScriptError) return failedBy(error)
  return error instanceof RangeError
    ? failedRun('error', 'The script recursed too deeply.')
    : failedRun('memory', 'The script exhausted its memory.')
}

function failureOf({ result }: ScriptRun): ScriptFailure['code'] | null {
  return result.kind === 'failed' ? result.failure.code : null
}

if (parentPort) {
  // That the removal of types is experimental is nothing that users can change.
  process.removeAllListeners('warning')
  const scripts = Scripts.open()
  const api: ScriptApi = {
    open: async () => void (await scripts),
    run: async (task) => (await scripts).do(task),
  }
  serveApi(parentPort, api)
}
