import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { store } from './integrations.ts'
import { inWords } from './sandbox-words.ts'

/** Starts the sandbox's service, and fills in the integration that stands for it. Running already: as it is. */
export async function start(context: Context): Promise<CallOutput<'sandboxService.start'>> {
  const own = context.integrations.views().find(({ kind }) => kind === 'sandbox')
  const { baseUrl, accessId, accessSecret, redirectUrls } = await inWords(() =>
    context.ports.sandbox.service.start({
      port: own ? portOf(own.baseUrl) : null,
      redirectUrl: own?.redirectUrl || null,
    }),
  )
  if (own) {
    const before = context.integrations.stored(own.id)
    await store(context, {
      ...before,
      baseUrl,
      accessId,
      redirectUrls,
      redirectUrl: redirectUrls.includes(before.redirectUrl)
        ? before.redirectUrl
        : (redirectUrls[0] ?? ''),
      sealedSecret: await context.ports.secrets.seal(accessSecret),
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
  return inWords(() => ports.sandbox.service.configure(change))
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

function portOf(baseUrl: string): number | null {
  const port = URL.parse(baseUrl)?.port
  return port ? Number(port) : null
}
