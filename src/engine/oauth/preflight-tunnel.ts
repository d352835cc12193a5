import type { PreflightCheck } from '#contract/integrations.ts'
import { canBeServed } from './served-redirect.ts'

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
      ? `${url.host} ${ours.some(({ open }) => open) ? 'is' : 'was'} the address of Tabscope’s tunnel, and an OAuth redirect cannot come through it: only /hooks/ is reachable there, for webhooks${between === undefined ? '' : `. ${between} most likely shows a browser a page of its own first, too`}.`
      : `${between} most likely shows a browser a page of its own before anything comes through, so an OAuth redirect to ${url.host} does not arrive.`
  return {
    code: 'redirect_url.tunnel',
    outcome: 'warning',
    message: `${why} Use a redirect URL on this machine, and list it on the dashboard. Tabscope’s own window takes this one before it goes out; in a browser, paste the address you land on.`,
    suggestion: listed.find(canBeServed) ?? onThisMachine,
  }
}
