import type { TunnelSetup } from '#contract/tunnel.ts'
import { AppError } from '#engine/platform/errors.ts'
import { tunnelProviders } from '#engine/receiving/tunnel/providers.ts'
import { publicServerNotice } from '#engine/receiving/tunnel/messages.ts'
import { UsageError } from './errors.ts'

/** Who runs the public server; null if the setup uses none. A setup on the command line counts as consent to use it. */
export function serverNotice({ provider: id, options }: TunnelSetup): string | null {
  const provider = tunnelProviders.find((each) => each.id === id)
  const server = provider?.publicServer?.(options) ?? null
  return provider && server !== null ? publicServerNotice(provider.label, server) : null
}

/** `localtunnel[:subdomain][@host]`, `manual:URL`, `cloudflared` or `ngrok[:domain]`; `none`: not even the stored one. Throws `UsageError`. */
export function tunnelSetupOf(text: string | undefined): TunnelSetup | 'none' | undefined {
  if (text === undefined || text === 'none') return text
  const id = /^[a-z0-9-]*/.exec(text)?.[0] ?? ''
  const provider = tunnelProviders.find((each) => each.id === id)
  const rest = text.slice(id.length)
  if (!provider || !/^(?:[:@]|$)/.test(rest)) {
    const known = tunnelProviders.map((each) => each.id).join(', ')
    throw new UsageError(`Unknown tunnel "${text}". Available: ${known}, none.`)
  }
  try {
    return { provider: provider.id, options: provider.check(provider.parse(rest)) }
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message)
    throw error
  }
}
