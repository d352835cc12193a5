import { canBeServed } from './redirect.ts'
import type { RunPorts } from './live-run.ts'

export interface TunnelAddress {
  readonly origin: string
  readonly open: boolean
}

/** Suggested if no redirect URL on this machine is listed. */
const suggestedRedirectUrl = 'http://127.0.0.1:4781/callback'

/** The listener accepts only webhooks under `/hooks/`. Null if the URL is not at a tunnel of Tabscope. */
export function tunnelNote(
  redirectUrl: string,
  listed: readonly string[],
  tunnels: readonly TunnelAddress[],
): { message: string; suggestion: string } | null {
  const url = URL.parse(redirectUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const ours = tunnels.filter(({ origin }) => URL.parse(origin)?.host === url.host)
  if (ours.length === 0) return null
  const verb = ours.some(({ open }) => open) ? 'is' : 'was'
  return {
    message: `${url.host} ${verb} the address of Tabscope’s tunnel, and an OAuth redirect cannot come through it: only /hooks/ is reachable there, for webhooks. Use a redirect URL on this machine, and list it on the dashboard. Tabscope’s own window catches this redirect before it is requested. In a browser, paste the URL you land on.`,
    suggestion: listed.find(canBeServed) ?? suggestedRedirectUrl,
  }
}

/** The current address, those set up by hand, and the one before, if the user has not dismissed that it changed. */
export function tunnelAddresses({ tunnel }: Pick<RunPorts, 'tunnel'>): TunnelAddress[] {
  const { url, setup, using, warnings } = tunnel.view()
  const before = warnings.flatMap((warning) =>
    warning.kind === 'address_changed' ? warning.old : [],
  )
  const configured = [setup, using].flatMap((options) =>
    options?.provider === 'manual' ? (options.options['url'] ?? []) : [],
  )
  const origins = new Set([...(url === null ? [] : [url]), ...before, ...configured])
  return [...origins].map((origin) => ({ origin, open: origin === url }))
}
