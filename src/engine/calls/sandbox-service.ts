import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { defaultRefreshRule } from '#contract/integrations.ts'
import type { Context } from '../context.ts'
import { insert, store } from './integrations.ts'
import { withSandboxErrors } from './sandbox-errors.ts'

/** Starts the sandbox's service, and fills in the integration that stands for it; where there is none any more it makes one. Running already: as it is. */
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

export async function stop({ ports }: Context): Promise<CallOutput<'sandboxService.stop'>> {
  return ports.sandbox.service.stop()
}

export async function configure(
  { ports }: Context,
  change: ParsedInput<'sandboxService.configure'>,
): Promise<CallOutput<'sandboxService.configure'>> {
  return withSandboxErrors(() => ports.sandbox.service.configure(change))
}

export async function revokeTokens({
  ports,
}: Context): Promise<CallOutput<'sandboxService.revokeTokens'>> {
  return ports.sandbox.service.revokeTokens()
}

export async function expireTokens({
  ports,
}: Context): Promise<CallOutput<'sandboxService.expireTokens'>> {
  return ports.sandbox.service.expireTokens()
}

export async function openDashboard({
  ports,
}: Context): Promise<CallOutput<'sandboxService.openDashboard'>> {
  const { dashboardUrl } = ports.sandbox.service.state()
  return { opened: dashboardUrl !== null && (await ports.openExternal(dashboardUrl)) }
}

function seal({ ports }: Context, secret: string): Promise<Uint8Array> {
  return ports.secrets.seal(secret)
}

/** A name for the sandbox's integration, where the user has made the first one their own. */
function freeName({ integrations }: Context): string {
  const taken = new Set(integrations.views().map(({ name }) => name.toLowerCase()))
  let name = 'Sandbox'
  for (let again = 2; taken.has(name.toLowerCase()); again += 1) name = `Sandbox ${again}`
  return name
}

function portOf(baseUrl: string): number | null {
  const port = URL.parse(baseUrl)?.port
  return port ? Number(port) : null
}
