import type { Handlers } from '#contract/calls.ts'
import type { Context } from './context.ts'
import { deliveryRoutes } from './calls/deliveries.ts'
import { signatureRoutes } from './calls/signature.ts'
import { sendingRoutes, openJobs } from './calls/sending.ts'
import { endpointRoutes } from './calls/endpoints.ts'
import { integrationRoutes } from './calls/integrations.ts'
import { authorizationRoutes } from './calls/oauth.ts'
import { settingsRoutes } from './calls/settings.ts'
import { sandboxRoutes } from './calls/sandbox.ts'
import { apiConsoleRoutes } from './calls/api-console.ts'
import { AssistantCalls } from './assistants/calls.ts'
import { generateRoutes } from './calls/generate.ts'
import { scriptRoutes } from './calls/scripts.ts'
import { scenarioRoutes } from '../event-logs/scenarios/scenarios.ts'
import { routes } from '../platform/routes.ts'
import { throwDeliveryNotFound } from '../deliveries/store.ts'
import { readerOf } from '../event-logs/service.ts'
import type { EnginePorts, UpdatesPort } from '../platform/ports.ts'
import { AppError } from '../platform/errors.ts'
import { isHeader } from '../receiving/listener/respond/rules.ts'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatFileTime } from '#shared/text/format.ts'
import { activeAndLastRuns } from '../authorization/oauth/runs.ts'
import type { UpdateState } from '#contract/desktop.ts'

/** Of domains that only pass a call on. */
const ownRoutes = routes<Context>()({
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
      command: ports.system.command(),
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

  'hold.state': ({ sender }) => sender.holdState(),

  'hold.add': async ({ sender, holdChanged }, input) => {
    const rule = await sender.api.call('addHold', input)
    await holdChanged(await sender.api.call('holdState'))
    return rule
  },

  'hold.stop': async ({ sender, holdChanged }, { id }) => {
    const state = await sender.api.call('stopHold', id)
    await holdChanged(state)
    return state
  },

  'hold.edit': ({ sender }, { id }) => sender.api.call('editHeld', id),

  'hold.release': async ({ sender }, { ids, content = null }) => ({
    ids: await sender.api.call('releaseHeld', { ids, content }),
  }),

  'hold.drop': async ({ sender }, { ids }) => ({ ids: await sender.api.call('dropHeld', ids) }),

  'hold.respond': async ({ sender }, { ids, ...response }) => {
    const invalid = response.headers.find((header) => !isHeader(header))
    if (invalid) {
      throw new AppError('bad_input', `The header ${JSON.stringify(invalid[0])} cannot be sent.`)
    }
    return { ids: await sender.api.call('respondHeld', { ids, response }) }
  },

  'deliveries.page': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    const asOf = input.asOf ?? context.clock.now()
    return { ...(await reader.call('page', { ...input, asOf })), asOf }
  },

  'deliveries.newer': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('newer', { ...input, asOf: input.asOf ?? context.clock.now() })
  },

  'deliveries.groups': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('groups', { ...input, asOf: input.asOf ?? context.clock.now() })
  },

  'filters.saved': ({ store }) => store.reader.call('savedFilters'),

  'filters.save': async (context, { id = null, ...view }) => {
    const saved = await context.store.writer.call('writeFilter', { id, ...view })
    await pushFilters(context)
    return saved
  },

  'filters.remove': async (context, { id }) => {
    await context.store.writer.call('deleteFilter', id)
    await pushFilters(context)
    return {}
  },

  'filters.suggest': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('suggest', input)
  },

  'rehearsals.start': ({ rehearsals }, input) => rehearsals.start(input),
  'rehearsals.startOauth': ({ rehearsals }, input) => rehearsals.startOauth(input),

  'rehearsals.list': async ({ rehearsals, logs }, { log }) =>
    log === null ? rehearsals.list() : (await logs.readerOf(log)).call('rehearsals'),

  'rehearsals.get': async ({ rehearsals, logs }, { id, log }) => {
    if (log === null) return rehearsals.get(id)
    const reader = await logs.readerOf(log)
    const rehearsal = await reader.call('rehearsal', id)
    if (!rehearsal) {
      throw new AppError('not_found', `Rehearsal ${id} is not in this event log.`)
    }
    return { rehearsal, results: await reader.call('rehearsalResults', id), client: null }
  },

  'rehearsals.requests': async ({ rehearsals, logs }, { log, ...input }) =>
    log === null
      ? rehearsals.requests(input)
      : (await logs.readerOf(log)).call('rehearsalRequests', input),

  'rehearsals.cancel': ({ rehearsals }, { id }) => rehearsals.cancel(id),

  'rehearsals.remove': async ({ rehearsals }, { id }) => {
    await rehearsals.remove(id)
    return {}
  },

  'rehearsals.observed': ({ rehearsals }, input) => {
    rehearsals.observed(input)
    return {}
  },

  'logs.formats': ({ logs }) => logs.formats(),
  'logs.preview': ({ logs }, input) => logs.preview(input),
  'logs.export': ({ logs }, input) => logs.export(input),
  'logs.pull': ({ logs }, { ticket }) => logs.pull(ticket),
  'logs.cancelExport': ({ logs }, { id }) => logs.cancelExport(id),

  'logs.dismissExport': ({ logs }, { id }) => {
    logs.dismissExport(id)
    return {}
  },

  'logs.text': ({ logs }, input) => logs.text(input),
  'logs.import': ({ logs }, input) => logs.import(input),
  'logs.feed': ({ logs }, input) => logs.feed(input),
  'logs.imported': ({ logs }, { id }) => logs.imported(id),
  'logs.cancelImport': ({ logs }, { id }) => logs.cancelImport(id),

  'logs.dismissImport': ({ logs }, { id }) => {
    logs.dismissImport(id)
    return {}
  },

  'logs.list': ({ logs }) => logs.view(),

  'logs.remove': async ({ logs }, { id }) => {
    await logs.remove(id)
    return {}
  },

  'logs.authorization': ({ logs }, { log }) => logs.authorization(log),
  'logs.setChoices': ({ logs }, input) => logs.setChoices(input),

  /** Compares with the endpoint's current settings. Throws `not_found`. */
  'deliveries.headers': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    const { endpointId } = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    const ours = log === null ? endpointId : null
    const settings = ours === null ? null : context.registry.settingsOf(ours)
    return (await reader.call('headerChecks', { id, settings })) ?? throwDeliveryNotFound(id)
  },

  'deliveries.conformance': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return { types: await reader.call('conformance', input) }
  },

  'deliveries.fields': async (context, { log }) =>
    (await readerOf(context, log)).call('payloadFields'),

  'deliveries.dismissNotices': async ({ store, bus }) => {
    await store.writer.call('dismissNotices')
    bus.push('deliveries.observed', {})
    return {}
  },

  'health.overview': ({ store, clock }, query) =>
    store.reader.call('overview', { ...query, now: clock.now() }),

  'health.coverage': ({ store, clock, listening, endpointRules }) => {
    const state = listening.state()
    return store.reader.call('coverage', {
      nowMs: clock.now(),
      targets: endpointRules.forwards.map(({ url, endpointId }) => ({ url, endpointId })),
      listener: state.state === 'listening' ? state.origin : null,
    })
  },

  'health.alerts': ({ health }) => health.current(),

  'health.setRule': ({ health }, rule) => health.setRule(rule),

  'tokens.list': (context, { integrationId }) =>
    context.tokens
      .views()
      .filter((token) => integrationId === undefined || token.integrationId === integrationId),

  'tokens.label': (context, { id, label }) => context.tokens.label(id, label),
  'tokens.refresh': (context, { id }) => context.tokens.refresh(id),
  'tokens.reveal': (context, { id, which }) => ({ value: context.tokens.reveal(id, which) }),

  'tokens.copy': async (context, { id, which }) => ({
    copied: await context.ports.system.copyText(context.tokens.reveal(id, which)),
  }),

  'tokens.forget': (context, { id }) => context.tokens.forget(id),

  'tokens.remove': async (context, { id }) => {
    await context.tokens.remove(id)
    return {}
  },

  'deliveries.trace': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('trace', id)) ?? throwDeliveryNotFound(id)
  },

  'deliveries.related': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('related', id)) ?? throwDeliveryNotFound(id)
  },

  'tunnel.open': ({ tunnel }, { setup, temporary, acceptServer }) =>
    tunnel.open(setup ?? null, temporary, acceptServer),

  'tunnel.close': ({ tunnel }) => tunnel.close(),
  'tunnel.check': ({ tunnel }) => tunnel.check(),
  'tunnel.configure': ({ tunnel }, { setup }) => tunnel.configure(setup),
  'tunnel.providers': ({ tunnel }) => tunnel.providers(),
  'tunnel.copied': ({ tunnel }, { url }) => tunnel.copied(url),
  'tunnel.dismiss': ({ tunnel }, { kind }) => tunnel.dismiss(kind),

  'relay.list': ({ relays }) => relays.views(),
  'relay.read': ({ relays }, { invitation }) => relays.read(invitation),
  'relay.add': ({ relays }, input) => relays.add(input),
  'relay.update': ({ relays }, input) => relays.update(input),
  'relay.connect': ({ relays }, { id }) => relays.connect(id),
  'relay.forget': ({ relays }, { id, deliveries }) => relays.forget(id, deliveries),
})

const assistantRoutes = routes<AssistantCalls>()({
  'assistants.begin': (calls, input) => calls.begin(input),

  'assistants.end': (calls, input) => {
    calls.end(input)
    return {}
  },

  'assistants.send': (calls, input) => calls.send(input),
  'assistants.rehearse': (calls, input) => calls.rehearse(input),

  'assistants.shown': ({ requests }, { id }) => {
    requests.shown(id)
    return {}
  },

  'assistants.decide': ({ requests }, { id, allowed }) => {
    requests.decide(id, allowed ? 'allowed' : 'declined')
    return {}
  },

  'assistants.list': (calls) => calls.list(),
})

export function createHandlers(context: Context): Handlers {
  const sending = sendingRoutes(context)
  const own = ownRoutes(context)
  return {
    ...own,
    ...deliveryRoutes(context),
    ...signatureRoutes(context),
    ...sending,
    ...endpointRoutes(context),
    ...scriptRoutes(context),
    ...integrationRoutes(context),
    ...authorizationRoutes(context),
    ...settingsRoutes(context),
    ...sandboxRoutes(context),
    ...apiConsoleRoutes(context),
    ...scenarioRoutes(context),
    ...generateRoutes(context),
    ...assistantRoutes(new AssistantCalls(context, { ...sending, ...own })),
  }
}

/** Null: the user cancelled. */
async function backupPath({ ports, config, clock }: Context): Promise<string | null> {
  const name = `tabscope-${formatFileTime(new Date(clock.now()))}.backup`
  if (ports.dialogs) return ports.dialogs.save(name)
  const folder = join(config.dataDir, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, name)
}

function isSystem({ name }: { name: string }): boolean {
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

async function pushFilters({ bus, store }: Context): Promise<void> {
  bus.push('filters.changed', await store.reader.call('savedFilters'))
}
