import { canBeServed } from './redirect.ts'
import type { RunPorts } from './live-run.ts'

export interface TunnelAddress {
  readonly origin: string
  readonly open: boolean
}

/** Their server first shows browsers its own page. How that affects a redirect is observed or reported, not documented. */
const interstitialDomains: readonly (readonly [domain: string, provider: string])[] = [
  ['loca.lt', 'The public server of localtunnel'],
  ['localtunnel.me', 'The public server of localtunnel'],
  ['ngrok-free.app', 'ngrok, at its free addresses,'],
  ['ngrok-free.dev', 'ngrok, at its free addresses,'],
]

/** Suggested if no redirect URL on this machine is listed. */
const suggestedRedirectUrl = 'http://127.0.0.1:4781/callback'

/** The listener accepts only webhooks under `/hooks/`, and some tunnel servers first show their own page. Null if the URL is not at a tunnel. */
export function tunnelNote(
  redirectUrl: string,
  listed: readonly string[],
  tunnels: readonly TunnelAddress[],
): { message: string; suggestion: string } | null {
  const url = URL.parse(redirectUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const ours = tunnels.filter(({ origin }) => URL.parse(origin)?.host === url.host)
  const [, provider] =
    interstitialDomains.find(
      ([domain]) => url.hostname === domain || url.hostname.endsWith(`.${domain}`),
    ) ?? []
  if (ours.length === 0 && provider === undefined) return null
  const reason =
    ours.length > 0
      ? `${url.host} ${ours.some(({ open }) => open) ? 'is' : 'was'} the address of Tabscope’s tunnel, and an OAuth redirect cannot come through it: only /hooks/ is reachable there, for webhooks${provider === undefined ? '' : `. ${provider} probably also shows browsers its own page first`}.`
      : `${provider} probably shows browsers its own page first, so an OAuth redirect to ${url.host} does not reach Tabscope.`
  return {
    message: `${reason} Use a redirect URL on this machine, and list it on the dashboard. Tabscope’s own window catches this redirect before it is requested. In a browser, paste the URL you land on.`,
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
