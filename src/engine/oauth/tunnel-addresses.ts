import type { PreflightCheck } from '#contract/integrations.ts'
import { canBeServed } from './redirect.ts'
import type { RunPorts } from './ports.ts'

/** An address that Tabscope's tunnel has, had, or is set to have. */
export interface TunnelAddress {
  readonly origin: string
  readonly open: boolean
}

type Note = Omit<PreflightCheck, 'field' | 'redirectUrl'>

/** Hosts whose server shows a browser a page of its own first: what it does to a redirect is observed or reported, and not promised by anybody. */
const pagesInBetween: readonly (readonly [domain: string, who: string])[] = [
  ['loca.lt', 'The public server of localtunnel'],
  ['localtunnel.me', 'The public server of localtunnel'],
  ['ngrok-free.app', 'ngrok, at its free addresses,'],
  ['ngrok-free.dev', 'ngrok, at its free addresses,'],
]

/** A redirect URL of this machine that one can take instead where none is listed. */
const onThisMachine = 'http://127.0.0.1:4781/callback'

/**
 * What keeps a redirect from coming in by a tunnel: the listener takes webhooks under `/hooks/` and nothing else, and some servers show browsers a
 * page in between. Null: the redirect URL has nothing to do with a tunnel.
 */
export function tunnelNote(
  redirectUrl: string,
  listed: readonly string[],
  tunnels: readonly TunnelAddress[],
): Note | null {
  const url = URL.parse(redirectUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const ours = tunnels.filter(({ origin }) => URL.parse(origin)?.host === url.host)
  const [, between] =
    pagesInBetween.find(
      ([domain]) => url.hostname === domain || url.hostname.endsWith(`.${domain}`),
    ) ?? []
  if (ours.length === 0 && between === undefined) return null
  const why =
    ours.length > 0
      ? `${url.host} ${ours.some(({ open }) => open) ? 'is' : 'was'} the address of Tabscope’s tunnel, and an OAuth redirect cannot come through it: only /hooks/ is reachable there, for webhooks${between === undefined ? '' : `. ${between} probably shows its own page to browsers first, too`}.`
      : `${between} probably shows its own page to browsers first, so an OAuth redirect to ${url.host} does not arrive.`
  return {
    code: 'redirect_url.tunnel',
    outcome: 'warning',
    message: `${why} Use a redirect URL on this machine, and list it on the dashboard. Tabscope’s own window catches this redirect before it is requested; in a browser, paste the URL you land on.`,
    suggestion: listed.find(canBeServed) ?? onThisMachine,
  }
}

/** As many ups and downs are looked at as are worth a warning: an address of long ago is most likely somebody else's now. */
const spans = 500

/** The addresses that Tabscope's tunnel has, had of late, or is set to have. */
export async function tunnelAddresses({
  tunnel,
}: Pick<RunPorts, 'tunnel'>): Promise<TunnelAddress[]> {
  const { url, setup, using } = tunnel.view()
  const had = (await tunnel.history(0, spans)).flatMap((span) => span.url ?? [])
  const brought = [setup, using].flatMap((wish) =>
    wish?.provider === 'manual' ? (wish.options['url'] ?? []) : [],
  )
  const origins = new Set([...(url === null ? [] : [url]), ...had, ...brought])
  return [...origins].map((origin) => ({ origin, open: origin === url }))
}
