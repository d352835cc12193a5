import type { ScriptRun } from '#contract/scripts.ts'
import type { ScriptCall } from './messages.ts'

/** Runs scripts in a thread of their own, which starts with the first of them. */
export class ScriptRunner {
  readonly #entry: URL

  constructor(entry: URL) {
    this.#entry = entry
  }

  /** Never rejects: a failure of any kind is the result `failed`. */
  async run(call: ScriptCall): Promise<ScriptRun> {
    throw new Error(`not built yet: ${call.script.name} ${this.#entry.href}`)
  }

  async close(): Promise<void> {}
}
