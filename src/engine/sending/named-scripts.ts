import type { Verdict } from '#contract/models.ts'
import type { ScriptFailure } from '#contract/scripts.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { failedRun, failureText } from './scripts/messages.ts'
import type { ScriptRunner } from './scripts/runner.ts'
import type { SendWrites } from './messages.ts'
import type { SenderParts } from './parts.ts'
import type { SenderConfiguration } from './sender-configuration.ts'

export function createNamedScripts(parts: {
  db: Db
  configuration: SenderConfiguration
  scripts: Pick<ScriptRunner, 'run'>
  writes: Pick<ThreadClient<SendWrites>, 'call'>
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
        ? failedRun('error', `There is no script “${name}”. Save one, or choose another.`)
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
      const reason = failureText(run.result.failure).slice(0, maxReason)
      // The attempt says it as well.
      writes.call('addScriptFailure', { id, script: name, reason }).catch(() => undefined)
    }
    return run
  }
}

const maxReason = 500

export function describeFailure(name: string, failure: ScriptFailure): string {
  return `The script “${name}” failed: ${failureText(failure)}`
}
