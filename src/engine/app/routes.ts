import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatFileTime } from '#shared/text/format.ts'
import { routes } from '../platform/routes.ts'
import { openJobs } from '../sending/routes.ts'
import { activeAndLastRuns } from '../oauth/runs.ts'
import type { UpdateState } from '#contract/desktop.ts'
import { AppError } from '../platform/errors.ts'
import type { EnginePorts, UpdatesPort } from '../platform/ports.ts'
import type { Context } from './context.ts'

export const appRoutes = routes<Context>()({
  'app.snapshot': async (context) => {
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
      forwards: [...context.endpointRules.forwards],
      forwardHealth: await context.sender.health(),
      responses: [...context.endpointRules.responses],
      ruleUses: [...context.endpointRules.uses],
      jobs: await openJobs(context),
      logs: context.logs.view(),
      relays: context.relays.views(),
      updates: updateState(ports),
      secretsLocked: context.secretsLocked,
      caFileProblem: context.caFileProblem,
      damagedFiles: store.damaged.filter(({ path }) => existsSync(path)),
      stats: context.stats,
      perMinute,
    }
  },

  'app.about': async ({ config, ports, store }) => {
    const host = ports.system.versions()
    return {
      version: config.version,
      versions: [
        { name: 'Tabscope', version: config.version },
        ...host.filter((part) => !isSystem(part)),
        { name: 'SQLite', version: await store.reader.call('sqliteVersion') },
        ...host.filter(isSystem),
      ],
      dataDir: config.dataDir,
      logFile: ports.system.logFile,
      command: ports.system.command,
    }
  },

  'app.backUp': async (context, { path, overwrite }) => {
    const to = path ?? (await backupPath(context))
    if (to === null) return { path: null, bytes: 0 }
    await context.store.writer.call('backUp', { to, replaces: overwrite || path === undefined })
    return { path: to, bytes: statSync(to).size }
  },

  'app.showLogs': async ({ ports }) => ({ shown: await ports.system.showLogs() }),
  'updates.check': ({ ports }) => updatesOf(ports).check(),
  'updates.download': ({ ports }) => updatesOf(ports).download(),
})

/** Null: the user cancelled. */
async function backupPath({ ports, config, clock }: Context): Promise<string | null> {
  const name = `tabscope-${formatFileTime(new Date(clock.now()))}.backup`
  if (ports.dialogs) return ports.dialogs.save(name)
  const folder = join(config.dataDir, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, name)
}

function isSystem({ name }: { readonly name: string }): boolean {
  return name === 'System'
}

function updateState({ system }: EnginePorts): UpdateState {
  return system.updates?.state() ?? { state: 'unavailable', reason: updatesUnsupported }
}

const updatesUnsupported =
  'This Tabscope runs from source or in a browser. Update it where you installed it from.'

function updatesOf({ system }: EnginePorts): UpdatesPort {
  if (system.updates === null) throw new AppError('bad_input', updatesUnsupported)
  return system.updates
}
