import type { Context } from '../context.ts'
import type { CallOutput } from '#contract/calls.ts'
import { routes } from '../../platform/routes.ts'
import type { SandboxRoute } from '#contract/models.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { AppError } from '../../platform/errors.ts'
import type { SandboxTarget } from '../../platform/ports.ts'
import { defaultRefreshRule } from '#contract/default-refresh.ts'
import { insert, store } from './integrations.ts'
import { ensureSecret } from './endpoints.ts'

export const sandboxRoutes = routes<Context>()({
  'sandbox.send': async (context, { endpointId, types, through, problem }) => {
    const unknown = types.find((type) => !eventTypeOf(type))
    if (unknown !== undefined) {
      throw new AppError('bad_input', `Unknown event type "${unknown}".`)
    }
    await ensureSecret(context, endpointId)
    const sendTo = target(context, endpointId, through)
    return withSandboxErrors(() => context.ports.sandbox.send(sendTo, types, problem))
  },

  'sandbox.startTraffic': async (context, { endpointId, rate, seed, through }) => {
    await ensureSecret(context, endpointId)
    return withSandboxErrors(() =>
      context.ports.sandbox.startTraffic(target(context, endpointId, through), { rate, seed }),
    )
  },

  'sandbox.stop': ({ ports }) => ports.sandbox.stop(),
  'sandboxService.start': start,
  'sandboxService.stop': ({ ports }) => ports.sandbox.service.stop(),

  'sandboxService.configure': ({ ports }, change) =>
    withSandboxErrors(() => ports.sandbox.service.configure(change)),

  'sandboxService.revokeTokens': ({ ports }) => ports.sandbox.service.revokeTokens(),

  'sandboxService.expireTokens': ({ ports }) => ports.sandbox.service.expireTokens(),
})

function target(context: Context, endpointId: number, through: SandboxRoute): SandboxTarget {
  const { registry, integrations } = context
  const origin = originFor(context, through)
  return registry.sandboxTarget(endpointId, origin, (id) => integrations.brandOf(id))
}

function originFor({ listening, tunnel }: Context, through: SandboxRoute): string {
  switch (through) {
    case 'listener':
      return listening.origin()
    case 'tunnel': {
      const { url } = tunnel.view()
      if (url !== null) return url
      throw new AppError(
        'bad_input',
        'No tunnel is open, so nothing can be sent through it. Open a tunnel, or send directly to the listener.',
      )
    }
  }
}

/** Starts the service if it is not running, and creates or fills in its integration. */
export async function start(context: Context): Promise<CallOutput<'sandboxService.start'>> {
  const own = context.integrations.views().find(({ kind }) => kind === 'sandbox')
  const { baseUrl, accessId, accessSecret, redirectUrls } = await withSandboxErrors(() =>
    context.ports.sandbox.service.start({
      port: own ? portOf(own.baseUrl) : null,
      redirectUrl: own?.redirectUrl || null,
    }),
  )
  const given = { baseUrl, accessId, redirectUrls, sealedSecret: await seal(context, accessSecret) }
  const first = redirectUrls[0] ?? ''
  if (own) {
    const before = context.integrations.stored(own.id)
    const keeps = redirectUrls.includes(before.redirectUrl)
    await store(context, { ...before, ...given, redirectUrl: keeps ? before.redirectUrl : first })
  } else {
    await insert(context, {
      ...given,
      name: freeName(context),
      kind: 'sandbox',
      brand: 'Service',
      redirectUrl: first,
      refresh: defaultRefreshRule,
    })
  }
  return context.ports.sandbox.service.state()
}

function seal({ ports }: Context, secret: string): Promise<Uint8Array> {
  return ports.secrets.seal(secret)
}

/** The user may have turned the integration with the first name into their own. */
function freeName({ integrations }: Context): string {
  const taken = new Set(integrations.views().map(({ name }) => name.toLowerCase()))
  let name = 'Sandbox service'
  for (let again = 2; taken.has(name.toLowerCase()); again += 1) name = `Sandbox service ${again}`
  return name
}

function portOf(baseUrl: string): number | null {
  const port = URL.parse(baseUrl)?.port
  return port ? Number(port) : null
}

/** Errors of the sandbox have a message for users. Others are internal. */
async function withSandboxErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SandboxError') throw error
    throw new AppError('sandbox_failed', error.message, { retry: 'later', cause: error })
  }
}
