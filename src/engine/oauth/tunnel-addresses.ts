import type { RunPorts } from './ports.ts'
import type { TunnelAddress } from './preflight-tunnel.ts'

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
