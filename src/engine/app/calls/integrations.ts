import type { Context } from '../context.ts'
import type { ParsedInput } from '#contract/calls.ts'
import { routes } from '../../platform/routes.ts'
import { isHttp, targetAddress } from '#shared/text/address.ts'
import { defaultRefreshRule } from '#contract/default-refresh.ts'
import type { Integration } from '#contract/integrations.ts'
import { AppError } from '../../platform/errors.ts'
import { preflight as checkSettings } from '../../authorization/oauth/preflight.ts'
import { probeService } from '../../authorization/oauth/service-probe.ts'
import { tunnelAddresses } from '../../authorization/oauth/tunnel-addresses.ts'
import type { IntegrationFields, StoredIntegration } from '../../receiving/integrations/store.ts'

export type IntegrationStorePorts = Pick<
  Context,
  'bus' | 'configureThreads' | 'integrations' | 'store' | 'tokens'
>

export const integrationRoutes = routes<Context>()({
  'integrations.create': async (context, { accessSecret, ...given }) => {
    const fields = {
      ...merged(empty, given),
      sealedSecret: accessSecret ? await context.ports.secrets.seal(accessSecret) : null,
    }
    return insert(context, fields)
  },

  'integrations.update': (context, { id, ...given }) => {
    const before = context.integrations.stored(id)
    return store(context, { ...before, ...merged(before, given) })
  },

  'integrations.set': async (context, { accessSecret, ...given }) => {
    const name = given.name.toLowerCase()
    const existing = context.integrations.views().find((each) => each.name.toLowerCase() === name)
    const before = existing ? context.integrations.stored(existing.id) : null
    // An existing name keeps its case.
    const fields = merged(before ?? empty, before ? { ...given, name: undefined } : given)
    const after: IntegrationFields =
      accessSecret === undefined
        ? fields
        : {
            ...fields,
            kind: 'service',
            sealedSecret: await context.ports.secrets.seal(accessSecret),
          }
    return before ? store(context, { ...after, id: before.id }) : insert(context, after)
  },

  'integrations.remove': async (context, { id }) => {
    context.integrations.stored(id)
    if (context.integrations.views().length === 1) {
      throw new AppError('in_use', 'This is the last integration. Create another one first.')
    }
    const flows = [...context.flows].filter(({ options }) => options.integrationId === id)
    await Promise.all(flows.map((flow) => flow.end('cancelled', 'The integration was deleted.')))
    await context.store.writer.call('deleteIntegration', id)
    context.tokens.integrationRemoved(id)
    context.integrations.remove(id)
    await context.configureThreads()
    context.bus.push('integrations.changed', context.integrations.views())
    return {}
  },

  'integrations.setAccessSecret': async (context, { id, secret }) => {
    const before = context.integrations.stored(id)
    return store(context, {
      ...before,
      kind: 'service',
      sealedSecret: await context.ports.secrets.seal(secret),
    })
  },

  'integrations.clearAccessSecret': (context, { id }) =>
    store(context, { ...context.integrations.stored(id), sealedSecret: null }),

  'integrations.revealAccessSecret': (context, { id }) => ({
    secret: context.integrations.accessSecret(id),
  }),

  'integrations.preflight': async (context, { id, ...given }) => {
    const { baseUrl, accessId, redirectUrl, redirectUrls, kind, accessSecret } =
      context.integrations.view(id)
    return checkSettings({
      baseUrl: targetAddress(given.baseUrl ?? baseUrl),
      accessId: given.accessId ?? accessId,
      redirectUrl: given.redirectUrl ?? redirectUrl,
      redirectUrls,
      accessSecret,
      kind,
      tunnels: tunnelAddresses(context),
    })
  },

  'integrations.probe': (context, { id }) => {
    const { baseUrl } = context.integrations.view(id)
    const url = URL.parse(baseUrl)
    if (!url || !isHttp(url)) {
      throw new AppError('bad_input', 'Enter the base URL that the service gave you first.')
    }
    return probeService(baseUrl, (text) => text, context.network)
  },
})

/** Throws `name_taken`. */
export async function insert(
  context: IntegrationStorePorts,
  fields: IntegrationFields,
): Promise<Integration> {
  const id = await context.store.writer.call('insertIntegration', fields)
  return changed(context, { id, ...fields })
}

const empty: IntegrationFields = {
  name: '',
  kind: 'service',
  brand: 'Service',
  baseUrl: '',
  accessId: '',
  redirectUrls: [],
  redirectUrl: '',
  refresh: defaultRefreshRule,
  sealedSecret: null,
}

/** Absent fields stay unchanged. Throws `bad_input` if the redirect URL is not in the list. */
function merged(
  before: IntegrationFields,
  { refresh, ...given }: Omit<ParsedInput<'integrations.update'>, 'id'>,
): IntegrationFields {
  const redirectUrls = given.redirectUrls ?? before.redirectUrls
  const template = refresh?.template ?? before.refresh.template
  const sameTemplate = JSON.stringify(template) === JSON.stringify(before.refresh.template)
  return {
    kind: isDetached(before, given) ? 'service' : before.kind,
    name: given.name ?? before.name,
    brand: given.brand ?? before.brand,
    baseUrl: given.baseUrl === undefined ? before.baseUrl : targetAddress(given.baseUrl),
    accessId: given.accessId ?? before.accessId,
    redirectUrls,
    redirectUrl: selectRedirectUrl(redirectUrls, given.redirectUrl, before.redirectUrl),
    refresh: {
      template,
      // A changed template or base URL has not been proven to work.
      provenAt:
        sameTemplate && (given.baseUrl ?? before.baseUrl) === before.baseUrl
          ? before.refresh.provenAt
          : null,
      automatic: refresh?.automatic ?? before.refresh.automatic,
      dueBeforeSeconds: refresh?.dueBeforeSeconds ?? before.refresh.dueBeforeSeconds,
    },
    sealedSecret: before.sealedSecret,
  }
}

/**
 * The refresh template worked at the time `at` (ms), so tokens may be refreshed automatically. `then`: the integration at that time. Does nothing if
 * the template was changed or the integration was deleted since.
 */
export async function proveRefresh(context: Context, then: Integration, at: number): Promise<void> {
  await context.turn(async () => {
    if (!context.integrations.has(then.id)) return
    const before = context.integrations.stored(then.id)
    const { template } = before.refresh
    const same = JSON.stringify(template) === JSON.stringify(then.refresh.template)
    if (!same || before.baseUrl !== then.baseUrl) return
    await store(context, { ...before, refresh: { ...before.refresh, provenAt: at } })
  })
}

/** Applies the change in memory, in the capture thread (for the header names of its brand) and in the interface. */
export async function store(
  context: IntegrationStorePorts,
  after: StoredIntegration,
): Promise<Integration> {
  await context.store.writer.call('updateIntegration', after)
  return changed(context, after)
}

async function changed(
  context: IntegrationStorePorts,
  stored: StoredIntegration,
): Promise<Integration> {
  await context.integrations.put(stored)
  await context.configureThreads()
  context.bus.push('integrations.changed', context.integrations.views())
  context.tokens.integrationChanged()
  return context.integrations.view(stored.id)
}

function isDetached(
  before: IntegrationFields,
  given: { baseUrl?: string | undefined; accessId?: string | undefined },
): boolean {
  return (
    (given.baseUrl !== undefined && given.baseUrl !== before.baseUrl) ||
    (given.accessId !== undefined && given.accessId !== before.accessId)
  )
}

/** The requested URL, or else the previous one, or the first one if that is no longer listed. */
function selectRedirectUrl(
  listed: readonly string[],
  requested: string | undefined,
  before: string,
): string {
  if (requested !== undefined && requested !== '' && !listed.includes(requested)) {
    throw new AppError(
      'bad_input',
      'The redirect URL must exactly match one of the listed URLs. Add it to the list first.',
      { details: { fields: ['redirectUrl'] } },
    )
  }
  const url = requested ?? before
  return listed.includes(url) ? url : (listed[0] ?? '')
}
