import type { CallOutput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { openJobs } from './jobs.ts'
import { activeAndLastRuns } from '../oauth/runs.ts'
import { updateState } from './desktop.ts'

export async function snapshot(context: Context): Promise<CallOutput<'app.snapshot'>> {
  const { config, ports, listening, registry, store } = context
  const perMinute = await store.reader.call('perMinute', { nowMs: Date.now(), minutes: 60 })
  return {
    version: config.version,
    capabilities: ports.capabilities,
    listener: listening.state(),
    tunnel: context.tunnel.view(),
    settings: context.settings,
    integrations: context.integrations.views(),
    endpoints: registry.views(),
    sandbox: ports.sandbox.state(),
    sandboxService: ports.sandbox.service.state(),
    tokens: context.tokens.views(),
    runs: await activeAndLastRuns(context),
    forwards: [...context.answering.forwards],
    forwardHealth: await context.sender.health(),
    responses: [...context.answering.responses],
    ruleUses: [...context.answering.uses],
    jobs: await openJobs(context),
    logs: context.logs.view(),
    updates: updateState(ports),
    secretsLocked: context.secretsLocked,
    stats: {
      ...context.stats,
      behind: Math.max(0, store.progress.lastId - store.progress.storedId),
    },
    perMinute,
  }
}
