import type { Verdict } from '#contract/models.ts'
import type { ScriptFailure, ScriptRun } from '#contract/scripts.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import type { ScriptRunner } from '../scripts/runner.ts'
import type { SendWrites } from './messages.ts'
import type { SenderParts } from './parts.ts'
import type { SenderConfiguration } from './sender-configuration.ts'

export function createNamedScripts(parts: {
  readonly db: Db
  readonly configuration: SenderConfiguration
  readonly scripts: Pick<ScriptRunner, 'run'>
  readonly writes: Pick<ThreadClient<SendWrites>, 'call'>
}): SenderParts['runScript'] {
  const { db, configuration, scripts, writes } = parts
  const verdict = prepare<[number], Verdict>(
    db,
    'SELECT verdict FROM delivery WHERE id = ?',
  ).pluck()

  return async (name, owner, captured) => {
    const { id, type, method, path, headers, body, endpointId } = captured
    const script = configuration.script(name)
    const run =
      script === null
        ? failedRun(`There is no script “${name}”. Save one, or choose another.`)
        : await scripts.run({
            script,
            owner,
            state: '{}',
            delivery: {
              id,
              type,
              receivedAt: captured.receivedUs / 1000,
              method,
              path,
              headers,
              body,
              verdict: verdict.get(id) ?? 'unsigned',
              endpoint: configuration.endpoint(endpointId)?.name ?? null,
            },
          })
    if (run.result.kind === 'failed' && owner !== null) {
      const message = describeFailure(name, run.result.failure).slice(0, maxMessage)
      // The attempt says it as well.
      writes.call('addScriptFailure', { id, message }).catch(() => undefined)
    }
    return run
  }
}

const maxMessage = 500

/** For an attempt, a finding and the list of held deliveries. */
export function describeFailure(name: string, { message, line, column }: ScriptFailure): string {
  const at = line === null ? '' : ` (line ${line}${column === null ? '' : `, column ${column}`})`
  return `The script “${name}” failed${at}: ${message}`
}

function failedRun(message: string): ScriptRun {
  return {
    result: { kind: 'failed', failure: { code: 'error', message, line: null, column: null } },
    log: [],
    state: '{}',
    durationMs: 0,
  }
}
