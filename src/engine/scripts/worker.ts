import { parentPort, type MessagePort } from 'node:worker_threads'
import type { QuickJSWASMModule } from 'quickjs-emscripten-core'
import type { ScriptFailure, ScriptRun } from '#contract/scripts.ts'
import { failedBy, failedRun, ScriptError, type RunTask, type ScriptTask } from './messages.ts'
import { readResult } from './result.ts'
import { LoadedScript, openInterpreter } from './sandbox.ts'

/** Of scripts that stay loaded. */
const maxLoaded = 32
const maxStates = 1000
const maxStateLength = 16 * 1024

interface State {
  readonly source: string
  readonly json: string
}

class Scripts {
  #interpreter: QuickJSWASMModule
  /** By owner, the most recently used last. */
  readonly #loaded = new Map<string, LoadedScript>()
  /** By owner, the most recently changed last. */
  readonly #states = new Map<string, State>()

  private constructor(interpreter: QuickJSWASMModule) {
    this.#interpreter = interpreter
  }

  static async open(): Promise<Scripts> {
    return new Scripts(await openInterpreter())
  }

  async do(task: ScriptTask): Promise<ScriptRun> {
    const own = 'owner' in task ? task.owner : null
    const isShared = [...this.#loaded.keys()].some((owner) => owner !== own)
    const ran = await this.#try(task)
    // Scripts share the memory, so this one runs again with nothing beside it. No state was changed.
    return failureOf(ran) === 'memory' && isShared ? this.#try(task) : ran
  }

  async #try(task: ScriptTask): Promise<ScriptRun> {
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
      return { result: { kind: 'none' }, log: [], state: '{}', durationMs: 0 }
    }
    const { owner, source } = task
    if (owner === null) {
      using once = LoadedScript.open(this.#interpreter, source, task.moment)
      return callScript(once, task, task.state)
    }
    const loaded = this.#load(task, owner)
    const before = this.#states.get(owner)
    const ran = callScript(loaded, task, before?.source === source ? before.json : '{}')
    this.#states.delete(owner)
    this.#states.set(owner, { source, json: ran.state })
    if (this.#states.size > maxStates) this.#states.delete(firstOf(this.#states))
    if (failureOf(ran) === 'timeout' || !loaded.isClean) this.#unload(owner)
    return ran
  }

  #load(call: RunTask, owner: string): LoadedScript {
    const { source } = call
    const loaded = this.#loaded.get(owner)
    if (loaded?.source === source) {
      this.#loaded.delete(owner)
      this.#loaded.set(owner, loaded)
      return loaded
    }
    this.#unload(owner)
    if (this.#loaded.size >= maxLoaded) this.#unload(firstOf(this.#loaded))
    const opened = LoadedScript.open(this.#interpreter, source, call.moment)
    this.#loaded.set(owner, opened)
    return opened
  }

  #unload(owner: string): void {
    const loaded = this.#loaded.get(owner)
    this.#loaded.delete(owner)
    loaded?.[Symbol.dispose]()
  }
}

function callScript(script: LoadedScript, call: RunTask, state: string): ScriptRun {
  const startedAt = performance.now()
  const ended = (result: ScriptRun['result'], after: string): ScriptRun => ({
    result,
    log: script.log,
    state: after,
    durationMs: performance.now() - startedAt,
  })
  try {
    const returned = script.call({ delivery: call.delivery, state }, call.moment)
    return ended(readResult(returned.result), stateText(returned.state))
  } catch (error) {
    if (error instanceof ScriptError) {
      return ended({ kind: 'failed', failure: error.failure }, state)
    }
    throw error
  }
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

function firstOf(map: ReadonlyMap<string, unknown>): string {
  return map.keys().next().value ?? ''
}

async function serve(port: MessagePort): Promise<void> {
  // That the removal of types is experimental is nothing that users can change.
  process.removeAllListeners('warning')
  const scripts = await Scripts.open()
  let last = Promise.resolve()
  port.on('message', (task: ScriptTask) => {
    last = last.then(async () => port.postMessage(await scripts.do(task)))
  })
  port.postMessage('ready')
}

if (parentPort) void serve(parentPort)
